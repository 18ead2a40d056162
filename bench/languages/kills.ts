import { seeded } from '../seeded.js';

/** The kill of a process. `at` is its time in seconds since the start of the speech. */
export interface Kill {
  readonly at: number;
  /** Kind of the killed process: a decoder, or the complete transcription service. */
  readonly what: 'decoder' | 'service';
  /** Selects one of several processes: a number from 0 to below 1. */
  readonly choice: number;
}

/** Number of seconds at the end of the run without kills. */
const quiet = 15;

/**
 * Returns the times at which processes are killed. The time between two kills of decoders is random, between half and
 * one and a half times `every` seconds. The service is killed at random times in the first half of the run. In the
 * second half it stays, so that its memory can be measured.
 * @param seconds length of the run.
 */
export const killPlan = (options: {
  readonly seconds: number;
  readonly every: number;
  readonly services: number;
  readonly seed: number;
}): readonly Kill[] => {
  const { seconds, every, services, seed } = options;
  const random = seeded(seed);
  const kills: Kill[] = [];
  for (let at = every * (0.5 + random()); at < seconds - quiet; at += every * (0.5 + random()))
    kills.push({ at, what: 'decoder', choice: random() });
  for (let service = 0; service < services; service++)
    kills.push({
      at: seconds * ((service + 0.2 + 0.7 * random()) / (2 * services)),
      what: 'service',
      choice: 0,
    });
  return kills.sort((a, b) => a.at - b.at);
};
