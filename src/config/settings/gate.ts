import { z } from 'zod';
import { usualGate } from '../../wire/index.js';
import { fraction, integer, type Setting, setting } from './setting.js';

/** Most steps of a schedule: the native core has space for so many. */
export const mostEndSteps = 8;

/** From `speech` ms of speech on, `silence` ms end an utterance. */
export interface EndStep {
  readonly speech: number;
  readonly silence: number;
}

/** The steps of a schedule `SPEECH:SILENCE,...` in ms, or undefined when it is none. `none` has no steps. */
export const endSteps = (schedule: string): readonly EndStep[] | undefined => {
  const words = schedule.trim() === 'none' ? [] : schedule.split(',');
  const steps: EndStep[] = [];
  for (const word of words) {
    const [, speech, silence] = /^\s*(\d{1,5}):(\d{3,4})\s*$/.exec(word) ?? [];
    const before = steps.at(-1) ?? { speech: -1, silence: 5000 };
    const step = { speech: Number(speech), silence: Number(silence) };
    // A comparison with what is no number is false.
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

/** Where speech begins and ends. */
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
  vadEndSchedule: setting(
    'VAD_END_SCHEDULE',
    endSchedule,
    'Less silence ends an utterance the longer it is: SPEECH:SILENCE, from so much speech on; none: VAD_END_SILENCE ends all.',
    { unit: 'ms' },
  ),
  vadMinSpeech: setting(
    'VAD_MIN_SPEECH',
    integer(usualGate.minSpeech, 0, 5000),
    'Shorter speech is not an utterance.',
    {
      unit: 'ms',
    },
  ),
  vadMaxUtterance: setting(
    'VAD_MAX_UTTERANCE',
    integer(usualGate.maxUtterance, 1000, 29_000),
    'Longer utterances are cut.',
    {
      unit: 'ms',
    },
  ),
} as const satisfies Record<string, Setting>;
