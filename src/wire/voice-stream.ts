/**
 * A JSON line of the sidecar's answer to a voice message in progress: a message for the client, or a close. If the
 * answer ends without a close, the front closes the WebSocket with code 1000.
 */
export type VoiceStreamLine =
  | { readonly send: unknown }
  | { readonly close: { readonly code: number; readonly reason: string } };

/**
 * Number of meaningless bytes that the front sends before the audio. Node sends the headers of a request only together
 * with the first bytes of its body. Because of these bytes, the sidecar can accept or refuse a message before the user
 * speaks.
 */
export const voiceStreamStart = 2;
