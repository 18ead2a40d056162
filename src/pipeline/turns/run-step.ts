import { isDatabaseAway } from '../../store/client/index.js';
import { beginStep, endStep } from '../../store/jobs/index.js';
import type { StepRun } from '../../wire/index.js';
import { steps } from '../steps/index.js';
import {
  attemptExpiry,
  errorCode,
  lostAttempts,
  type Made,
  make,
  retryLimit,
  type StepContext,
} from '../work/index.js';

/**
 * Outcome of an attempt. `dead`: it failed, and no further attempt is permitted. `settled`: the attempt stored nothing,
 * because another attempt had ended this run, the step was requested again, or the account is being deleted.
 */
export type Stepped = 'done' | 'dead' | 'settled';

/**
 * Runs a step. May be called several times for one run, because the result is stored in the transaction that ends the
 * run, and a run ends only once.
 *
 * Rejects with the error if the attempt should be repeated. After the last attempt the step is dead, and the built-in
 * result is stored instead of the model's.
 */
export const runStep = async (context: StepContext, run: StepRun): Promise<Stepped> => {
  const { sql, model } = context;
  const begun = await beginStep(sql, run, attemptExpiry(context.settings));
  if (!begun) return 'settled';
  const last = begun.attempts > retryLimit;
  const step = steps[run.step];
  // If a process ends during an attempt, the attempt reports no error. This condition limits the number of such
  // attempts.
  if (begun.attempts > retryLimit + lostAttempts) {
    return (await endStep(sql, begun, { generatedBy: null, error: 'internal' })) ? 'dead' : 'settled';
  }
  try {
    const input = await step.read(context, begun);
    if (input === null) {
      return (await endStep(sql, begun, { generatedBy: null, error: null })) ? 'done' : 'settled';
    }
    const made: Made<unknown> = await make(context, {
      step: run.step,
      last,
      byModel: model === null ? undefined : () => step.byModel({ ...context, model }, input),
      builtIn: () => step.builtIn(context, input),
    });
    const stored = await sql.begin(async (transaction) => {
      if (!(await endStep(transaction, begun, made))) return false;
      if (made.error === null || !step.addsUp) {
        await step.store(transaction, input, made.result, made.generatedBy);
      }
      return true;
    });
    if (!stored) return 'settled';
    return made.error === null ? 'done' : 'dead';
  } catch (error) {
    if (isDatabaseAway(error) || context.signal.aborted || !last) throw error;
    context.log.error({ step: run.step, attempts: begun.attempts, err: error }, 'step failed for good');
    return (await endStep(sql, begun, { generatedBy: null, error: errorCode(error) })) ? 'dead' : 'settled';
  }
};
