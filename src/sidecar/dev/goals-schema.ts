import { z } from 'zod';
import { goalBounds, goalRecord, goalTypes } from '../../wire/records/index.js';
import {
  boolean,
  changeBody,
  clamped,
  creationShape,
  exampleOf,
  number,
  pageQuery,
  sessionField,
  shownShape,
} from '../schemas/index.js';

export const goalBody = z.object({ ...creationShape(goalRecord), ...sessionField });

export const goalPatch = changeBody(goalRecord);

export const goalsQuery = z.object({
  ...pageQuery(10, goalBounds.page),
  include_inactive: boolean.default(false),
});

export const progressQuery = z.object({ current_value: number.optional() });
export const progressBody = z.object({ current_value: number.optional() }).nullish();
export const historyQuery = z.object({ days: clamped(30, 1, goalBounds.historyDays) });

const moment = z.iso.datetime();
const metric = z
  .object({
    type: z.enum(goalTypes),
    current: z.number(),
    target: z.number(),
    min: z.number(),
    max: z.number(),
    unit: z.string().nullable(),
  })
  .meta({ id: 'GoalMetric', description: 'What the goal measures.' });

export const goalAnswer = z
  .object(shownShape(goalRecord, 'developer', { metric: metric.nullable() }))
  .meta({ id: 'DeveloperGoal' });

export const progressAnswer = z
  .object({ date: z.iso.date().meta({ description: 'In UTC.' }), value: z.number(), recorded_at: moment })
  .meta({ id: 'GoalProgress' });

export const exampleGoal = exampleOf(goalRecord, {
  id: 'goal_5c1e9a7b3d20',
  goal_id: 'goal_5c1e9a7b3d20',
  title: 'Read twenty books',
  desired_outcome: 'Read twenty books',
  success_criteria: [],
  status: 'background',
  source: 'user',
  metric: { type: 'numeric', current: 3, target: 20, min: 0, max: 20, unit: 'books' },
  goal_type: 'numeric',
  target_value: 20,
  current_value: 3,
  min_value: 0,
  max_value: 20,
  unit: 'books',
  is_active: true,
  created_at: '2026-03-01T10:00:00Z',
  updated_at: '2026-03-01T10:00:00Z',
});
