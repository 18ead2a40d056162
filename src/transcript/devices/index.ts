export {
  type DeviceSegment,
  type DeviceTranscript,
  type MergedTranscript,
  mergeDevices,
} from './merge-devices.js';
