import type { Sql } from '../../store/client/index.js';
import {
  postponeStep,
  postponeSummary,
  takeDueSteps,
  takeWaitingConversations,
} from '../../store/jobs/index.js';
import { JobTurns, type JobTurnsOptions, type TurnsWanted, turnPause } from './job-turns.js';

/**
 * Creates a `JobTurns` for each kind of job that waits in a table: summaries of conversations, and the steps that
 * follow summaries.
 * @param expiry seconds after which an attempt is considered lost, because its process has probably ended.
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
      const taken = await takeWaitingConversations(sql, expiry, { ...wanted, pause: turnPause });
      return taken.map(({ uid, ...job }) => ({ uid, job }));
    },
    postpone: ({ id }, seconds) => postponeSummary(sql, id, expiry, seconds),
  }),
  stepTurns: new JobTurns<'step'>({
    ...common,
    name: 'step',
    take: async (wanted: TurnsWanted) => {
      const taken = await takeDueSteps(sql, { ...wanted, pause: turnPause });
      return taken.map(({ uid, ...job }) => ({ uid, job }));
    },
    postpone: (job, seconds) => postponeStep(sql, job, seconds),
  }),
});
