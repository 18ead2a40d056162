import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { isDatabaseAway } from '../../store/client/index.js';
import type { StepName } from '../../wire/index.js';
import type { StepContext } from './context.js';

/** Maximum number of attempts after the first one. */
export const retryLimit = 4;

/**
 * Number of attempts that are allowed in addition to `retryLimit`, if earlier attempts ended because their process
 * ended.
 */
export const lostAttempts = 5;

/** Maximum number of requests that an attempt sends to the model, one after the other. */
const questionsOfAttempt = 3;

/** Maximum time that a model request waits for a free slot, as a multiple of the model's timeout. */
const waits = 2;

/**
 * Returns the seconds after which an attempt is considered lost, because its process has probably ended. The time
 * includes the wait and the answer of each model request.
 */
export const attemptExpiry = ({ llmBaseUrl, llmTimeout }: Settings): number =>
  60 + (llmBaseUrl === '' ? 0 : Math.ceil(((waits + 1) * questionsOfAttempt * llmTimeout) / 1000));

/** Returns the error registry's code of a thrown value. */
export const errorCode = (error: unknown): string =>
  error instanceof CochleaError ? error.code : 'internal';

/** Whether a retry may succeed after this error of the model. */
export const mayRepeat = (error: unknown): boolean => error instanceof CochleaError && error.entry.retryable;

/** A result, the name of its generator, and the model's error if the model failed. */
export interface Made<Result> {
  readonly result: Result;
  readonly generatedBy: string;
  readonly error: string | null;
}

interface Making<Result> {
  readonly step: StepName;
  /** Whether this is the last attempt. */
  readonly last: boolean;
  /** Makes the result with the model. Absent if the model is not needed. */
  readonly byModel?: (() => Promise<Result>) | undefined;
  readonly builtIn: () => Promise<Result>;
}

/**
 * Makes a result with the model, if there is one. If the failure of the model is final, the built-in implementation
 * makes the result. A failure is final if a retry would fail in the same way, or if this is the last attempt.
 * @throws CochleaError of the model while a retry may succeed, or the error of the built-in implementation.
 */
export const make = async <Result>(
  { model, extractor, signal, log }: StepContext,
  { step, last, byModel, builtIn }: Making<Result>,
): Promise<Made<Result>> => {
  let error: string | null = null;
  if (model !== null && byModel !== undefined) {
    try {
      return { result: await byModel(), generatedBy: model.nameOf(step), error: null };
    } catch (thrown) {
      signal.throwIfAborted();
      // The failure came from the database that counts the user's tokens, not from the model. So the attempt is
      // repeated.
      if (isDatabaseAway(thrown)) throw thrown;
      if (mayRepeat(thrown) && !last) throw thrown;
      error = errorCode(thrown);
      log.warn({ step, code: error }, 'the language model failed; the built-in implementation does the step');
      // A spent token budget does not count as an error, because a retry would not help.
      if (error === 'llm_budget_spent') error = null;
    }
  }
  return { result: await builtIn(), generatedBy: extractor.name, error };
};
