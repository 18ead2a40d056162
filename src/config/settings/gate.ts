import { z } from 'zod';
import { usualGate } from '../../wire/index.js';
import { fraction, integer, type Setting, setting } from './setting.js';

/** Maximum number of steps in a schedule. The native core has space for this number of steps. */
export const mostEndSteps = 8;

/** A step of a schedule: when an utterance has `speech` ms of speech, a silence of `silence` ms ends it. */
export interface EndStep {
  readonly speech: number;
  readonly silence: number;
}

/** Parses a schedule `SPEECH:SILENCE,...` in ms; undefined if it is invalid. The schedule `none` has no steps. */
export const endSteps = (schedule: string): readonly EndStep[] | undefined => {
  const words = schedule.trim() === 'none' ? [] : schedule.split(',');
  const steps: EndStep[] = [];
  for (const word of words) {
    const [, speech, silence] = /^\s*(\d{1,5}):(\d{3,4})\s*$/.exec(word) ?? [];
    const before = steps.at(-1) ?? { speech: -1, silence: 5000 };
    const step = { speech: Number(speech), silence: Number(silence) };
    // Comparisons with NaN are false, so the negated condition also refuses texts that are not numbers.
    if (!(step.speech > before.speech && step.silence <= before.silence && step.silence >= 100))
      return undefined;
    steps.push(step);
  }
  return steps.length > mostEndSteps ? undefined : steps;
};

const endSchedule = z
  .string()
  .refine((value) => endSteps(value) !== undefined, {
    message: `expected none, or at most ${mostEndSteps} steps SPEECH:SILENCE in ms: ascending speech, silence of 100 to 5000 that never grows`,
  })
  .default('8000:400,11000:300');

/** Settings of the gate, which detects the start and end of speech. */
export const gateSettings = {
  vadOnset: setting('VAD_ONSET', fraction(usualGate.onset), 'Speech starts at this probability.'),
  vadOff: setting('VAD_OFF', fraction(usualGate.off), 'Speech ends below this probability.'),
  vadPreRoll: setting('VAD_PRE_ROLL', integer(usualGate.preRoll, 0, 2000), 'Audio kept before an onset.', {
    unit: 'ms',
  }),
  vadEndSilence: setting(
    'VAD_END_SILENCE',
    integer(usualGate.endSilence, 100, 5000),
    'Silence that ends an utterance.',
    {
      unit: 'ms',
    },
  ),
  vadLongSilence: setting(
    'VAD_LONG_SILENCE',
    integer(1200, 100, 5000),
    'Silence that ends an utterance while a model that profits transcribes it and the queue is short. A value up to VAD_END_SILENCE: VAD_END_SILENCE always applies.',
    { unit: 'ms' },
  ),
  vadEndSchedule: setting(
    'VAD_END_SCHEDULE',
    endSchedule,
    'Steps SPEECH:SILENCE. In an utterance with at least SPEECH ms, SILENCE ms end the utterance. none: VAD_END_SILENCE applies to all.',
    { unit: 'ms' },
  ),
  vadMinSpeech: setting(
    'VAD_MIN_SPEECH',
    integer(usualGate.minSpeech, 0, 5000),
    'Minimum duration of speech of an utterance; shorter sounds are ignored.',
    {
      unit: 'ms',
    },
  ),
  vadMaxUtterance: setting(
    'VAD_MAX_UTTERANCE',
    integer(usualGate.maxUtterance, 1000, 29_000),
    'Maximum length of an utterance; longer utterances are split.',
    {
      unit: 'ms',
    },
  ),
} as const satisfies Record<string, Setting>;
