/** Merges the transcripts of two devices of one user. */
export { type DeviceSegment, type DeviceTranscript, mergeDevices } from './merge-devices.js';
