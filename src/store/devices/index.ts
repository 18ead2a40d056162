/** Conversations of one user's devices that overlap. */
export {
  besideConversation,
  type DeviceConversation,
  endMerged,
  lockDeviceConversation,
} from './device-conversations.js';
