import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { isDatabaseAway } from '../../store/client/index.js';
import type { StepName } from '../../wire/index.js';
import type { StepContext } from './context.js';

/** Attempts after the first. */
export const retryLimit = 4;

/** Further attempts, beyond the retries, that may be lost with their process. */
export const lostAttempts = 5;

/** Requests to the model that an attempt may send one after the other. */
const questionsOfAttempt = 3;

/** Model timeouts that a request may wait for its place. */
const waits = 2;

/** Seconds after which an attempt counts as lost with its process. Includes the wait and the answer of each model request. */
export const attemptExpiry = ({ llmBaseUrl, llmTimeout }: Settings): number =>
  60 + (llmBaseUrl === '' ? 0 : Math.ceil(((waits + 1) * questionsOfAttempt * llmTimeout) / 1000));

/** Error registry code of a thrown value. */
export const errorCode = (error: unknown): string =>
  error instanceof CochleaError ? error.code : 'internal';

/** Whether a retry may succeed after this error of the model. */
export const mayRepeat = (error: unknown): boolean => error instanceof CochleaError && error.entry.retryable;

/** A result, its generator, and the model's error if the model failed. */
export interface Made<Result> {
  readonly result: Result;
  readonly generatedBy: string;
  readonly error: string | null;
}

interface Making<Result> {
  readonly step: StepName;
  /** Whether this is the last attempt. */
  readonly last: boolean;
  /** Absent if the model is not needed. */
  readonly byModel?: (() => Promise<Result>) | undefined;
  readonly builtIn: () => Promise<Result>;
}

/**
 * Makes a result with the model, if any. If the model fails for good, the built-in implementation makes it. That happens at once if a retry
 * would fail the same way, else after the last attempt.
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
      // The token budget could not be read or written. The model is not at fault.
      if (isDatabaseAway(thrown)) throw thrown;
      if (mayRepeat(thrown) && !last) throw thrown;
      error = errorCode(thrown);
      log.warn({ step, code: error }, 'the language model failed; the built-in implementation does the step');
      // A spent token budget is no fault that a retry could fix.
      if (error === 'llm_budget_spent') error = null;
    }
  }
  return { result: await builtIn(), generatedBy: extractor.name, error };
};
