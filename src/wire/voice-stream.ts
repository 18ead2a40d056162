/**
 * A line of the sidecar's answer to the audio of a voice message that is being spoken, as JSON: what the front sends to the client, or how it
 * closes. Without a line that closes, the front closes 1000 at the end of the answer.
 */
export type VoiceStreamLine =
  | { readonly send: unknown }
  | { readonly close: { readonly code: number; readonly reason: string } };

/**
 * Bytes before the audio, which mean nothing: the head of a request leaves with the first bytes of its body, and the sidecar is to decide about a
 * message before its user speaks.
 */
export const voiceStreamStart = 2;
