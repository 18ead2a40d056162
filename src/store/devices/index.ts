export {
  besideConversation,
  type DeviceConversation,
  endMerged,
  lockDeviceConversation,
} from './device-conversations.js';
