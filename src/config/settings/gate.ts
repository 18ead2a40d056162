import { fraction, integer, type Setting, setting } from './setting.js';

/** Where speech begins and ends. */
export const gateSettings = {
  vadOnset: setting('VAD_ONSET', fraction(0.5), 'Speech starts at this probability.'),
  vadOff: setting('VAD_OFF', fraction(0.35), 'Speech ends below this probability.'),
  vadPreRoll: setting('VAD_PRE_ROLL', integer(300, 0, 2000), 'Audio kept before an onset.', { unit: 'ms' }),
  vadEndSilence: setting('VAD_END_SILENCE', integer(600, 100, 5000), 'Silence that ends an utterance.', {
    unit: 'ms',
  }),
  vadMinSpeech: setting('VAD_MIN_SPEECH', integer(250, 0, 5000), 'Shorter speech is not an utterance.', {
    unit: 'ms',
  }),
  vadMaxUtterance: setting('VAD_MAX_UTTERANCE', integer(15_000, 1000, 29_000), 'Longer utterances are cut.', {
    unit: 'ms',
  }),
} as const satisfies Record<string, Setting>;
