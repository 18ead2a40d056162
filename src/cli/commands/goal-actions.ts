import type { Schemas } from '../../client/index.js';
import { answered, answeredList } from '../api/index.js';
import type { Fields } from '../arguments/index.js';
import type { Session } from '../session/index.js';
import { printRecord } from './record-actions.js';
import type { RecordKind } from './record-commands.js';

/** Returns the table fields of a goal, without fields whose values its metric already contains. */
export const fieldsShown = (goal: Schemas['DeveloperGoal']): Fields => {
  const { goal_id, metric, goal_type, target_value, current_value, min_value, max_value, unit, ...rest } =
    goal;
  return {
    ...rest,
    ...(metric && { type: goal_type, current: current_value, target: target_value }),
    ...(metric && { min: min_value, max: max_value, unit }),
  };
};

export const setProgress = async (
  session: Session,
  kind: RecordKind,
  id: string,
  value: number,
): Promise<void> => {
  const api = await session.api();
  const params = { path: { id }, query: { current_value: value } };
  const goal = answered(await api.PATCH('/v1/dev/user/goals/{id}/progress', { params }));
  await printRecord(session, kind, goal);
};

export const showHistory = async (
  session: Session,
  id: string,
  { days }: { days: number },
): Promise<void> => {
  const api = await session.api();
  const params = { path: { id }, query: { days } };
  const rows = answeredList(await api.GET('/v1/dev/user/goals/{id}/history', { params }));
  await session.print.list(rows, [
    { path: 'date' },
    { path: 'value' },
    { path: 'recorded_at', head: 'recorded' },
  ]);
};
