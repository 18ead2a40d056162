/** Path of recording uploads. The sidecar serves it. The front gives it separate places and bounds. */
export const uploadPath = '/v2/sync-local-files';

/** Paths of voice messages. They also have separate places and bounds. */
export const voiceTranscriptionPath = '/v2/voice-message/transcribe';
export const voiceChatPath = '/v2/voice-messages';

/**
 * Path of voice messages that are transcribed while they are spoken: a WebSocket at the front, and a request from the front to the
 * sidecar.
 */
export const voiceStreamPath = '/v2/voice-message/transcribe-stream';

/** Path of the recording that enrols a user's voice. It has the bounds of voice messages. */
export const enrolmentPath = '/v3/upload-audio';

export const voicePaths: ReadonlySet<string> = new Set([
  voiceTranscriptionPath,
  voiceChatPath,
  enrolmentPath,
]);
