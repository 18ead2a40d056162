/** Which audio a provider takes: finished utterances, the audio around speech, or all audio. */
export type AudioNeed = 'utterances' | 'gated' | 'everything';
