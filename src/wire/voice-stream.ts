/**
 * A JSON line of the sidecar's answer to a voice message in progress: a message for the client, or a close. Without a
 * closing line, the front closes the WebSocket with code 1000 at the end of the answer.
 */
export type VoiceStreamLine =
  | { readonly send: unknown }
  | { readonly close: { readonly code: number; readonly reason: string } };

/**
 * Number of bytes that the front sends before the audio and the sidecar ignores. Node sends the headers of a request
 * only with the first bytes of its body. With these bytes the sidecar can accept or refuse a message before its user
 * speaks.
 */
export const voiceStreamStart = 2;
