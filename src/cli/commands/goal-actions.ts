import type { Schemas } from '../../client/index.js';
import { answered, answeredList } from '../api/index.js';
import type { GoalFields, GoalListOptions, NewGoal } from '../arguments/index.js';
import type { Column } from '../output/index.js';
import type { Session } from '../session/index.js';
import { changes, confirmed, creation, printList, textArgument } from './support.js';

type Goal = Schemas['DeveloperGoal'];
type Progress = Schemas['GoalProgress'];

/** Goals of one page, at most. */
const page = 100;
const path = '/v1/dev/user/goals';
const byId = '/v1/dev/user/goals/{id}';

const columns: readonly Column[] = [
  { head: 'id', value: (row: Goal) => row.id },
  { head: 'title', value: (row: Goal) => row.title, width: 40 },
  { head: 'type', value: (row: Goal) => row.metric?.type },
  { head: 'current', value: (row: Goal) => row.metric?.current },
  { head: 'target', value: (row: Goal) => row.metric?.target },
  { head: 'unit', value: (row: Goal) => row.metric?.unit },
  { head: 'active', value: (row: Goal) => row.is_active },
];

/** A goal as a table shows it: without the fields that repeat what it measures. */
const show = (session: Session, goal: Goal): Promise<void> => {
  const { goal_id, metric, goal_type, target_value, current_value, min_value, max_value, unit, ...rest } =
    goal;
  return session.print.record(goal, {
    ...rest,
    ...(metric && { type: goal_type, current: current_value, target: target_value }),
    ...(metric && { min: min_value, max: max_value, unit }),
  });
};

export const listGoals = async (session: Session, options: GoalListOptions): Promise<void> => {
  const api = await session.api();
  const inactive = options.includeInactive === true;
  await printList<Goal>(session, options, {
    columns,
    page,
    ask: (query) => api.GET(path, { params: { query: { ...query, include_inactive: inactive } } }),
  });
};

export const getGoal = async (session: Session, id: string): Promise<void> => {
  const api = await session.api();
  await show(session, answered(await api.GET(byId, { params: { path: { id } } })));
};

const fieldsOf = (given: GoalFields) => ({
  title: given.title,
  goal_type: given.type as 'boolean' | 'scale' | 'numeric' | undefined,
  target_value: given.target,
  current_value: given.current,
  min_value: given.min,
  max_value: given.max,
  unit: given.clearUnit ? null : given.unit,
  why_it_matters: given.clearWhyItMatters ? null : given.whyItMatters,
  success_criteria: given.clearSuccessCriteria ? [] : given.successCriterion && [...given.successCriterion],
  horizon_at: given.clearHorizon ? null : given.horizonAt,
});

export const createGoal = async (session: Session, given: string, options: NewGoal): Promise<void> => {
  const title = await textArgument(session, given, 'title');
  const body = { ...changes(fieldsOf({ ...options, title })), title };
  const api = await session.api();
  await show(session, answered(await api.POST(path, { params: creation(options), body })));
};

export const updateGoal = async (session: Session, id: string, given: GoalFields): Promise<void> => {
  const body = changes(fieldsOf(given));
  const api = await session.api();
  await show(session, answered(await api.PATCH(byId, { params: { path: { id } }, body })));
};

export const setProgress = async (session: Session, id: string, value: number): Promise<void> => {
  const api = await session.api();
  const params = { path: { id }, query: { current_value: value } };
  await show(session, answered(await api.PATCH(`${byId}/progress`, { params })));
};

export const showHistory = async (
  session: Session,
  id: string,
  { days }: { days: number },
): Promise<void> => {
  const api = await session.api();
  const rows = answeredList(await api.GET(`${byId}/history`, { params: { path: { id }, query: { days } } }));
  await session.print.list(rows, [
    { head: 'date', value: (row: Progress) => row.date },
    { head: 'value', value: (row: Progress) => row.value },
    { head: 'recorded', value: (row: Progress) => row.recorded_at },
  ]);
};

export const deleteGoal = async (session: Session, id: string, { yes }: { yes?: boolean }): Promise<void> => {
  const api = await session.api();
  await confirmed(session, `Delete goal ${id} and its history?`, yes);
  const answer = answered(await api.DELETE(byId, { params: { path: { id } } }));
  await session.print.deleted(`goal ${id}`, answer);
};
