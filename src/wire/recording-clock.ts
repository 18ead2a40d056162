/**
 * Which clock the times of a recording, and of its conversation, are from. `device`: that of the device. `upload`: the device never had a time,
 * so that the recording is taken to have ended when it was uploaded.
 */
export const recordingClocks = ['device', 'upload'] as const;
export type RecordingClock = (typeof recordingClocks)[number];
