import { z } from 'zod';
import { setGoalValue, statedProgress } from '../../service/index.js';
import { type GoalRow, listGoalRows } from '../../store/goals.js';
import { readStored, type StoredInput } from '../conversation-input.js';
import { quoted } from './instructions.js';
import type { Step } from './step.js';

const mostGoals = 3;

interface GoalInput extends StoredInput {
  /** Active goals that measure something. */
  readonly goals: readonly GoalRow[];
}

interface GoalValue {
  readonly goalId: string;
  readonly value: number;
}

const lineOf = (goal: GoalRow, place: number): string =>
  `${place + 1}: ${quoted(goal.title)}, ${goal.goal_type}, now ${goal.current_value} of ${goal.target_value}, from ${goal.min_value} to ${goal.max_value}${goal.unit === null ? '' : `, in ${quoted(goal.unit)}`}`;

/** A value that lies beyond the bounds of its goal was not said of that goal. */
const within = (
  value: number,
  { min_value: least, max_value: most, target_value: target }: GoalRow,
): boolean => value >= (least ?? 0) && value <= Math.max(most ?? 0, target ?? 0);

/** What a conversation says about how far its owner has come with goals. It is taken from a conversation once. */
export const goalProgressStep: Step<GoalInput, readonly GoalValue[]> = {
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
        .array(z.strictObject({ goal: z.number().int().min(1).max(goals.length), value: z.number() }))
        .max(goals.length),
    });
    const { progress } = await model.ask(
      {
        step: 'goal_progress',
        uid: owner.uid,
        instructions: [
          'You find in the transcript of a conversation how far its owner has come with the goals that the data lists.',
          'Only what the owner clearly says of the own progress counts; answer with an empty list otherwise.',
          'goal: the number of the goal. value: the whole value that is reached now, not what came to it. For boolean: 1 when it is reached.',
        ].join('\n'),
        data: ['Goals:', ...goals.map(lineOf), '', 'Transcript:', text].join('\n'),
        answerTokens: 200,
        signal,
      },
      answer,
    );
    return progress.flatMap(({ goal: number, value }) => {
      const goal = goals[number - 1]!;
      return within(value, goal) ? [{ goalId: goal.id, value }] : [];
    });
  },
  async builtIn(_context, { transcript, goals }) {
    const measured = goals.map((goal) => ({ ...goal, current_value: goal.current_value ?? 0 }));
    return statedProgress(transcript, measured).filter(({ goalId, value }) =>
      within(value, goals.find((goal) => goal.id === goalId)!),
    );
  },
  async store(sql, { owner }, values) {
    for (const { goalId, value } of values) await setGoalValue(sql, owner.uid, goalId, value);
  },
};
