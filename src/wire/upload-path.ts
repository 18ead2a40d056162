/** Path of recording uploads. The sidecar serves it. The front has separate slots and bounds for such requests. */
export const uploadPath = '/v2/sync-local-files';

/** Paths of voice messages. The front also has separate slots and bounds for them. */
export const voiceTranscriptionPath = '/v2/voice-message/transcribe';
export const voiceChatPath = '/v2/voice-messages';

/**
 * Path of voice messages that are transcribed while they are spoken. At the front it is a WebSocket. The front then
 * sends a request with this path to the sidecar.
 */
export const voiceStreamPath = '/v2/voice-message/transcribe-stream';

/** Path of the recording that enrols a user's voice. Such a request has the same bounds as voice messages. */
export const enrolmentPath = '/v3/upload-audio';

export const voicePaths: ReadonlySet<string> = new Set([
  voiceTranscriptionPath,
  voiceChatPath,
  enrolmentPath,
]);
