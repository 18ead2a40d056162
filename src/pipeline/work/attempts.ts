import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { isDatabaseAway } from '../../store/client/index.js';
import type { StepName } from '../../wire/index.js';
import type { StepContext } from './context.js';

/** Attempts after the first. */
export const retryLimit = 4;

/** Attempts beyond these that may be lost with their process. */
export const lostAttempts = 5;

/** Questions that an attempt may ask one after the other. */
const questionsOfAttempt = 3;

/** Timeouts of the model that a question may wait for its place. */
const waits = 2;

/** Seconds after which an attempt is taken to have been lost with its process: each question may wait for its place, and be asked. */
export const attemptExpiry = ({ llmBaseUrl, llmTimeout }: Settings): number =>
  60 + (llmBaseUrl === '' ? 0 : Math.ceil(((waits + 1) * questionsOfAttempt * llmTimeout) / 1000));

/** Code of the error registry for what was thrown. */
export const errorCode = (error: unknown): string =>
  error instanceof CochleaError ? error.code : 'internal';

/** Whether another attempt may succeed where the model failed. */
export const mayRepeat = (error: unknown): boolean => error instanceof CochleaError && error.entry.retryable;

/** What was made, by what, and why not by the model where it was asked in vain. */
export interface Made<Result> {
  readonly result: Result;
  readonly generatedBy: string;
  readonly error: string | null;
}

interface Making<Result> {
  readonly step: StepName;
  /** Whether no further attempt follows. */
  readonly last: boolean;
  /** Absent where the model is not needed. */
  readonly byModel?: (() => Promise<Result>) | undefined;
  readonly builtIn: () => Promise<Result>;
}

/**
 * Makes something with the model where there is one. When that fails for good, the built-in implementation makes it: at once where
 * another attempt would fail the same way, else after the last one.
 * @throws CochleaError of the model while another attempt may succeed, or the error of the built-in implementation.
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
      // The budget of tokens could not be read or written: that says nothing of the model.
      if (isDatabaseAway(thrown)) throw thrown;
      if (mayRepeat(thrown) && !last) throw thrown;
      error = errorCode(thrown);
      log.warn({ step, code: error }, 'the language model failed; the built-in implementation does the step');
      // That a user has no tokens left is no fault that could be mended by another attempt.
      if (error === 'llm_budget_spent') error = null;
    }
  }
  return { result: await builtIn(), generatedBy: extractor.name, error };
};
