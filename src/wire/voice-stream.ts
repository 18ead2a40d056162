/**
 * A JSON line of the sidecar's answer to a voice message in progress: a message for the client, or a close. Without a closing line, the
 * front closes 1000 at the end of the answer.
 */
export type VoiceStreamLine =
  | { readonly send: unknown }
  | { readonly close: { readonly code: number; readonly reason: string } };

/**
 * Number of ignored bytes before the audio. Node sends the head of a request with the first bytes of its body. The sidecar must decide
 * about a message before its user speaks.
 */
export const voiceStreamStart = 2;
