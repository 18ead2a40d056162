/** Path of recording uploads, which the sidecar serves. The front has separate quotas and limits for these requests. */
export const uploadPath = '/v2/sync-local-files';

/** Path of audio files that a page of the console uploads. The limits of recording uploads apply to these files. */
export const importPath = '/console/api/imports';

export const uploadPaths: ReadonlySet<string> = new Set([uploadPath, importPath]);

/** Path of voice messages. The front has separate quotas and limits for these requests. */
export const voiceTranscriptionPath = '/v2/voice-message/transcribe';
export const voiceChatPath = '/v2/voice-messages';

/**
 * Path of voice messages that are transcribed while they are spoken. Clients open a WebSocket on this path. For each
 * WebSocket, the front sends the sidecar a request with the same path.
 */
export const voiceStreamPath = '/v2/voice-message/transcribe-stream';

/** Path of uploads with which a user enrols the own voice. The limits of voice messages apply to these uploads. */
export const enrolmentPath = '/v3/upload-audio';

export const voicePaths: ReadonlySet<string> = new Set([
  voiceTranscriptionPath,
  voiceChatPath,
  enrolmentPath,
]);

/**
 * Checks whether a path belongs to the console: its pages, the files of pages, and the interface that pages use. The
 * front has separate quotas for these requests, because a page sends many at once.
 * @param path decoded, without query.
 */
export const isConsolePath = (path: string): boolean => path === '/console' || path.startsWith('/console/');
