import type { Sql } from '../store/database.js';
import { postponeStep, takeDueSteps } from '../store/steps.js';
import { postponeSummary, takeWaitingConversations } from '../store/sweep.js';
import { JobTurns, type JobTurnsOptions, type TurnsWanted } from './job-turns.js';

/** Seconds after which a job that was put into the queue and was not begun is put there again. */
const pause = 60;

/**
 * The turns of the jobs that stand in tables: summaries of conversations, and the steps that follow.
 * @param expiry seconds after which an attempt is taken to have been lost with its process.
 */
export const createTableTurns = (
  sql: Sql,
  expiry: number,
  common: Pick<JobTurnsOptions<'step'>, 'most' | 'ordinary' | 'log' | 'signal'>,
) => ({
  conversationTurns: new JobTurns<'conversation'>({
    ...common,
    name: 'conversation',
    take: async (wanted: TurnsWanted) => {
      const taken = await takeWaitingConversations(sql, expiry, { ...wanted, pause });
      return taken.map(({ uid, ...job }) => ({ uid, job }));
    },
    postpone: ({ id }, seconds) => postponeSummary(sql, id, expiry, seconds),
  }),
  stepTurns: new JobTurns<'step'>({
    ...common,
    name: 'step',
    take: async (wanted: TurnsWanted) => {
      const taken = await takeDueSteps(sql, { ...wanted, pause });
      return taken.map(({ uid, ...job }) => ({ uid, job }));
    },
    postpone: (job, seconds) => postponeStep(sql, job, seconds),
  }),
});
