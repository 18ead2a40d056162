import type { MessagePort } from 'node:worker_threads';
import type { FrameSample, Verdict } from '../../audio/readability/index.js';
import { answerQuestions, askQuestions } from '../../common/index.js';
import type { CheckSample } from './stream-check.js';

/** Shard to main thread. The bytes of the sample are transferred. */
interface CheckQuestion {
  readonly user: string;
  readonly sample: FrameSample;
}

/**
 * The shard's end of the readability pool, which the main thread owns. The port keeps no thread alive. The caller made the port and
 * closes it; pending calls then resolve with undefined.
 */
export const createReadabilityCheck = (port: MessagePort): CheckSample => {
  const ask = askQuestions<CheckQuestion, Verdict | undefined>(port, undefined);
  return (user, sample) => ask({ user, sample }, [sample.bytes.buffer]);
};

/** The main thread's end. */
export const serveReadability = (port: MessagePort, check: CheckSample): void =>
  answerQuestions<CheckQuestion, Verdict | undefined>(port, ({ user, sample }) => check(user, sample));
