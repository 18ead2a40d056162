/** Transcribes a track: sends its utterances or its audio to a provider, and returns words with their times. */
export type {
  StreamOrigin,
  TranscriptionContext,
  TranscriptionEvent,
  TranscriptionOptions,
} from './options.js';
export { positionsOf } from './positions-of.js';
export { failureMessage, type ProviderChooser, type ProviderFailure } from './provider-link.js';
export { type ProviderSettings, providerHealth, providerRules, type ShardNews } from './provider-options.js';
export { beginningWith } from './stream-language.js';
export {
  mayBeTagged,
  soleVoice,
  type TrackVoice,
  trackOfTag,
  tracksPerSlot,
  voicesOf,
} from './track-voices.js';
export { Transcription } from './transcription.js';
