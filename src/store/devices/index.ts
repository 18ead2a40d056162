/** Statements that find and merge overlapping conversations of two devices of a user. */
export {
  besideConversation,
  type DeviceConversation,
  endMerged,
  lockDeviceConversation,
} from './device-conversations.js';
