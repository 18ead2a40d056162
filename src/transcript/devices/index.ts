/** Merges the transcripts of two devices. */
export { type DeviceSegment, type DeviceTranscript, mergeDevices } from './merge-devices.js';
