/** Path of uploads of recordings: the sidecar serves it, and the front gives it places and bounds of its own. */
export const uploadPath = '/v2/sync-local-files';

/** Paths of voice messages, which have places and bounds of their own, too. */
export const voiceTranscriptionPath = '/v2/voice-message/transcribe';
export const voiceChatPath = '/v2/voice-messages';

/** Path of voice messages that are transcribed while they are spoken: a WebSocket of the front, and the request by which it reaches the sidecar. */
export const voiceStreamPath = '/v2/voice-message/transcribe-stream';

/** Path of the recording by which a user is to be recognised; bounded as voice messages are. */
export const enrolmentPath = '/v3/upload-audio';

export const voicePaths: ReadonlySet<string> = new Set([
  voiceTranscriptionPath,
  voiceChatPath,
  enrolmentPath,
]);
