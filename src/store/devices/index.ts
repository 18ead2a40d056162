/** Overlapping conversations of a user's devices. */
export {
  besideConversation,
  type DeviceConversation,
  endMerged,
  lockDeviceConversation,
} from './device-conversations.js';
