import type { RecordDeclaration } from './declaration.js';

/**
 * Maximum values for goals: code points in texts, number of criteria, active goals of a user, goals in an answer, days
 * in a history.
 */
export const goalBounds = {
  title: 500,
  text: 2000,
  criteria: 20,
  criterion: 500,
  unit: 64,
  active: 3,
  page: 1000,
  historyDays: 365,
} as const;

export const goalStatuses = ['background', 'focused', 'paused', 'achieved', 'abandoned'] as const;
export type GoalStatus = (typeof goalStatuses)[number];
export const goalTypes = ['boolean', 'scale', 'numeric'] as const;
export type GoalType = (typeof goalTypes)[number];
export const goalSources = ['user', 'ai_suggested', 'imported'] as const;

/**
 * A goal of a user. If the goal has no metric, all metric columns are null. If it has a metric, only the unit may be
 * null.
 */
export const goalRecord = {
  table: 'goals',
  one: 'goal',
  many: 'goals',
  changes: 'title, target_value, current_value, ...',
  first: {
    request: ['title', 'goal_type', 'target_value', 'current_value', 'min_value', 'max_value', 'unit'],
    option: [
      ...['target_value', 'goal_type', 'current_value', 'min_value', 'max_value', 'unit'],
      ...['why_it_matters', 'success_criteria', 'horizon_at'],
    ],
  },
  listed: ['id', 'title', 'goal_type', 'current_value', 'target_value', 'unit', 'is_active'],
  fields: {
    id: { type: 'text' },
    goal_id: { type: 'text', from: 'service', description: { answer: 'The same as `id`.' } },
    title: {
      type: 'text',
      most: goalBounds.title,
      create: 'required',
      change: 'optional',
      cli: { argument: true, value: 'text', help: 'title of the goal', width: 40 },
    },
    desired_outcome: {
      type: 'text',
      most: goalBounds.text,
      create: 'nullable',
      change: 'optional',
      cli: false,
    },
    why_it_matters: {
      type: 'text',
      nullable: true,
      most: goalBounds.text,
      create: 'nullable',
      change: 'nullable',
      cli: { value: 'text', help: 'reason for the goal', clear: { help: 'no reason' } },
    },
    success_criteria: {
      type: 'text[]',
      items: goalBounds.criteria,
      most: goalBounds.criterion,
      create: 'optional',
      usual: [],
      change: 'optional',
      cli: {
        option: 'success-criterion',
        value: 'text',
        help: 'a criterion of success; can be repeated',
        clear: { option: 'clear-success-criteria', help: 'no criteria' },
      },
    },
    horizon_at: {
      type: 'timestamptz',
      nullable: true,
      create: 'nullable',
      change: 'nullable',
      cli: { value: 'date', help: 'until when', clear: { option: 'clear-horizon', help: 'no end' } },
    },
    status: {
      type: 'text',
      values: goalStatuses,
      create: 'optional',
      usual: 'background',
      change: 'optional',
      cli: false,
    },
    focus_rank: { type: 'integer', nullable: true, create: 'nullable', change: 'nullable', cli: false },
    source: { type: 'text', values: goalSources, create: 'optional', usual: 'user', cli: false },
    metric: { type: 'jsonb', from: 'service', nullable: true },
    goal_type: {
      type: 'text',
      nullable: true,
      absent: 'scale',
      values: goalTypes,
      create: 'nullable',
      change: 'optional',
      cli: { option: 'type', value: 'kind', help: 'kind of measurement', path: 'metric.type' },
    },
    target_value: {
      type: 'double precision',
      nullable: true,
      absent: 0,
      create: 'nullable',
      change: 'optional',
      cli: { option: 'target', value: 'n', help: 'target value', path: 'metric.target' },
    },
    current_value: {
      type: 'double precision',
      nullable: true,
      absent: 0,
      create: 'nullable',
      change: 'optional',
      cli: { option: 'current', value: 'n', help: 'value today', path: 'metric.current' },
    },
    min_value: {
      type: 'double precision',
      nullable: true,
      absent: 0,
      create: 'nullable',
      change: 'nullable',
      cli: { option: 'min', value: 'n', help: 'smallest value', clear: false },
    },
    max_value: {
      type: 'double precision',
      nullable: true,
      absent: 10,
      create: 'nullable',
      change: 'nullable',
      cli: { option: 'max', value: 'n', help: 'largest value', clear: false },
    },
    unit: {
      type: 'text',
      nullable: true,
      most: goalBounds.unit,
      blank: true,
      create: 'nullable',
      change: 'nullable',
      cli: {
        value: 'name',
        help: 'unit of the values',
        path: 'metric.unit',
        clear: { help: 'no unit' },
      },
    },
    is_active: { type: 'boolean', from: 'generated', cli: { head: 'active' } },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
    ended_at: { type: 'timestamptz', nullable: true },
  },
} as const satisfies RecordDeclaration;
