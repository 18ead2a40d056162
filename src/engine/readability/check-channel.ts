import type { MessagePort } from 'node:worker_threads';
import type { FrameSample, Verdict } from '../../audio/readability/index.js';
import { answerQuestions, askQuestions } from '../../common/index.js';
import type { CheckSample } from './stream-check.js';

/** Message of the shard to the main thread. The bytes of the sample are transferred. */
interface CheckQuestion {
  readonly user: string;
  readonly sample: FrameSample;
}

/**
 * Creates the shard's end of the channel to the readability pool, which the main thread owns. The port does not keep
 * the shard's thread alive. The caller created the port and closes it. Calls that are still pending then resolve with
 * undefined.
 */
export const createReadabilityCheck = (port: MessagePort): CheckSample => {
  const ask = askQuestions<CheckQuestion, Verdict | undefined>(port, undefined);
  return (user, sample) => ask({ user, sample }, [sample.bytes.buffer]);
};

/** Answers the questions of a shard. Call it on the main thread. */
export const serveReadability = (port: MessagePort, check: CheckSample): void =>
  answerQuestions<CheckQuestion, Verdict | undefined>(port, ({ user, sample }) => check(user, sample));
