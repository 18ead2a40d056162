export { type DeviceSegment, type DeviceTranscript, mergeDevices } from './merge-devices.js';
