import { z } from 'zod';
import { advanceGoal, type GoalAdvance } from '../../service/records/index.js';
import { type GoalRow, listGoalRows } from '../../store/records/index.js';
import { quoted, readStored, type StoredInput } from '../input/index.js';
import type { Step } from './step.js';

const mostGoals = 3;

interface GoalInput extends StoredInput {
  /** The user's active goals that have a numeric target. */
  readonly goals: readonly GoalRow[];
}

interface GoalProgress extends GoalAdvance {
  readonly goalId: string;
}

const lineOf = (goal: GoalRow, place: number): string =>
  `${place + 1}: ${quoted(goal.title)}, ${goal.goal_type}, now ${goal.current_value} of ${goal.target_value}, from ${goal.min_value} to ${goal.max_value}${goal.unit === null ? '' : `, in ${quoted(goal.unit)}`}`;

/** Finds progress towards the owner's goals in a conversation. Each conversation counts once. */
export const goalProgressStep: Step<GoalInput, readonly GoalProgress[]> = {
  addsUp: true,
  async read(context, { conversation_id: id, uid }) {
    const { rows } = await listGoalRows(context.sql, uid, {
      inactive: false,
      after: null,
      limit: mostGoals,
      offset: 0,
    });
    const goals = rows.filter((goal) => goal.goal_type !== null);
    if (goals.length === 0) return null;
    const stored = await readStored(context, id);
    return stored === null || stored.content.discarded ? null : { ...stored, goals };
  },
  async byModel({ model, signal }, { owner, text, goals }) {
    const answer = z.strictObject({
      progress: z
        .array(
          z.strictObject({
            goal: z.number().int().min(1).max(goals.length),
            kind: z.enum(['total', 'added']),
            value: z.number(),
          }),
        )
        .max(goals.length),
    });
    const { progress } = await model.ask(
      {
        step: 'goal_progress',
        uid: owner.uid,
        instructions: [
          'You find in the transcript of a conversation how far its owner has come with the goals that the data lists.',
          'Only what the owner clearly says of the own progress counts; answer with an empty list otherwise.',
          'goal: the number of the goal. kind total: value is all that is reached now. kind added: value is what came to it. For boolean: total, 1 when it is reached.',
        ].join('\n'),
        data: ['Goals:', ...goals.map(lineOf), '', 'Transcript:', text].join('\n'),
        answerTokens: 200,
        signal,
      },
      answer,
    );
    return progress.map(({ goal: number, kind, value }) => ({
      goalId: goals[number - 1]!.id,
      ...(kind === 'total' ? { total: value, added: 0 } : { total: null, added: value }),
    }));
  },
  async builtIn({ rules }, { owner, transcript, goals }) {
    return rules.progress(transcript, goals, owner.uid);
  },
  async store(sql, { owner }, progress) {
    for (const { goalId, ...advance } of progress) await advanceGoal(sql, owner.uid, goalId, advance);
  },
};
