import { z } from 'zod';
import { goalBounds, goalSources, goalStatuses, goalTypes } from '../../wire/records/index.js';
import {
  boolean,
  changeOf,
  clamped,
  dateTime,
  integer,
  number,
  pageQuery,
  sessionField,
  trimmed,
} from '../schemas/index.js';

const title = trimmed(1, goalBounds.title);
const text = trimmed(1, goalBounds.text);

const given = {
  goal_type: z.enum(goalTypes).nullish(),
  target_value: number.nullish(),
  current_value: number.nullish(),
  min_value: number.nullish(),
  max_value: number.nullish(),
  unit: trimmed(0, goalBounds.unit).nullish(),
  desired_outcome: text.nullish(),
  why_it_matters: text.nullish(),
  success_criteria: z.array(trimmed(1, goalBounds.criterion)).max(goalBounds.criteria).optional(),
  horizon_at: dateTime.nullish(),
  status: z.enum(goalStatuses).optional(),
  focus_rank: integer.nullish(),
};

export const goalBody = z.object({
  title,
  ...given,
  source: z.enum(goalSources).optional(),
  ...sessionField,
});

export const goalPatch = changeOf(
  {
    title: title.optional(),
    ...given,
    goal_type: z.enum(goalTypes).optional(),
    target_value: number.optional(),
    current_value: number.optional(),
    desired_outcome: text.optional(),
  },
  'title, target_value, current_value, ...',
);

type Given = Partial<z.output<z.ZodObject<typeof given>>>;

/** The values of a body in the words of the service. */
export const goalValues = (body: Given) => ({
  goalType: body.goal_type,
  targetValue: body.target_value,
  currentValue: body.current_value,
  minValue: body.min_value,
  maxValue: body.max_value,
  unit: body.unit,
  desiredOutcome: body.desired_outcome,
  whyItMatters: body.why_it_matters,
  successCriteria: body.success_criteria,
  horizonAt: body.horizon_at,
  status: body.status,
  focusRank: body.focus_rank,
});

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
  .object({
    id: z.string(),
    goal_id: z.string().meta({ description: 'The same as `id`.' }),
    title: z.string(),
    desired_outcome: z.string(),
    why_it_matters: z.string().nullable(),
    success_criteria: z.array(z.string()),
    horizon_at: moment.nullable(),
    status: z.enum(goalStatuses),
    focus_rank: z.int().nullable(),
    source: z.enum(goalSources),
    metric: metric.nullable(),
    goal_type: z.enum(goalTypes),
    target_value: z.number(),
    current_value: z.number(),
    min_value: z.number(),
    max_value: z.number(),
    unit: z.string().nullable(),
    is_active: z.boolean(),
    created_at: moment,
    updated_at: moment,
    ended_at: moment.nullable(),
  })
  .meta({ id: 'DeveloperGoal' });

export const progressAnswer = z
  .object({ date: z.iso.date().meta({ description: 'In UTC.' }), value: z.number(), recorded_at: moment })
  .meta({ id: 'GoalProgress' });

export const exampleGoal = {
  id: 'goal_5c1e9a7b3d20',
  goal_id: 'goal_5c1e9a7b3d20',
  title: 'Read twenty books',
  desired_outcome: 'Read twenty books',
  why_it_matters: null,
  success_criteria: [],
  horizon_at: null,
  status: 'background' as const,
  focus_rank: null,
  source: 'user' as const,
  metric: { type: 'numeric' as const, current: 3, target: 20, min: 0, max: 20, unit: 'books' },
  goal_type: 'numeric' as const,
  target_value: 20,
  current_value: 3,
  min_value: 0,
  max_value: 20,
  unit: 'books',
  is_active: true,
  created_at: '2026-03-01T10:00:00Z',
  updated_at: '2026-03-01T10:00:00Z',
  ended_at: null,
};
