import { z } from 'zod';
import {
  createGoal,
  deleteGoal,
  getGoal,
  goalHistory,
  listGoalsInParts,
  updateGoal,
  updateGoalProgress,
} from '../../service/records/index.js';
import { developerKey } from '../access/index.js';
import { RequestInvalid } from '../answers/index.js';
import { deletion, type Route, type RouteContext, recordHeads, route } from '../frame/index.js';
import { creationKey, sendPage } from '../schemas/index.js';
import {
  exampleGoal,
  goalAnswer,
  goalBody,
  goalPatch,
  goalsQuery,
  historyQuery,
  progressAnswer,
  progressBody,
  progressQuery,
} from './goals-schema.js';

const heads = recordHeads({
  url: '/v1/dev/user/goals',
  tag: 'Goals',
  one: 'Goal',
  many: 'Goals',
  read: { access: developerKey('goals:read'), limits: ['dev:goals_read'] },
  write: { access: developerKey('goals:write'), limits: ['dev:goals_write'] },
  answer: goalAnswer,
});
const body = { title: 'Read twenty books', goal_type: 'numeric', target_value: 20, unit: 'books' };

/** Returns the value of a progress request. Deployed clients send it in the query or the body. The query has priority. */
const progressOf = (
  query: { current_value?: number | undefined },
  given: { current_value?: number | undefined } | null | undefined,
): number => {
  const value = query.current_value ?? given?.current_value;
  if (value !== undefined) return value;
  throw new RequestInvalid([{ type: 'missing', loc: ['query', 'current_value'], msg: 'Field required' }]);
};

const listGoalsRoute = ({ sql }: RouteContext): Route =>
  route({
    ...heads.list,
    summary: 'Active goals, oldest first. With inactive goals included, newest first',
    query: goalsQuery,
    inParts: true,
    example: { query: { include_inactive: 'true' }, answer: [exampleGoal] },
    handle: async ({ caller, query: { include_inactive: inactive, ...page }, reply }) =>
      sendPage(reply, await listGoalsInParts(sql, caller.uid, { ...page, inactive })),
  });

const getGoalRoute = ({ sql }: RouteContext): Route =>
  route({
    ...heads.get,
    summary: 'One goal, active or not',
    example: { answer: exampleGoal },
    handle: ({ caller, path }) => getGoal(sql, caller.uid, path.id),
  });

const createGoalRoute = ({ sql }: RouteContext): Route =>
  route({
    ...heads.create,
    summary: 'Create a goal',
    description: 'Three goals may be active. With a fourth the oldest is paused.',
    body: goalBody,
    example: { body, answer: { ...exampleGoal, current_value: 0 } },
    handle: ({ caller, headers, body: { client_session_id, ...goal } }) =>
      createGoal(sql, caller.uid, goal, creationKey(headers, { client_session_id })),
  });

const updateGoalRoute = ({ sql }: RouteContext): Route =>
  route({
    ...heads.update,
    summary: 'Change a goal; absent fields stay as they are',
    description: 'A `current_value` that is set here is not recorded as progress.',
    body: goalPatch,
    example: { body: { target_value: 24, unit: null }, answer: exampleGoal },
    handle: ({ caller, path, body: given }) => updateGoal(sql, caller.uid, path.id, given),
  });

const updateGoalProgressRoute = ({ sql }: RouteContext): Route =>
  route({
    ...heads.update,
    url: '/v1/dev/user/goals/{id}/progress',
    operationId: 'updateGoalProgress',
    summary: 'Set the current value of a goal and record it for this day',
    description: '`current_value` is needed, in the query or in the body.',
    query: progressQuery,
    body: progressBody,
    example: { query: { current_value: '4' }, answer: { ...exampleGoal, current_value: 4 } },
    handle: ({ caller, path, query, body: given }) =>
      updateGoalProgress(sql, caller.uid, path.id, progressOf(query, given)),
  });

const listGoalHistoryRoute = ({ sql }: RouteContext): Route =>
  route({
    ...heads.get,
    url: '/v1/dev/user/goals/{id}/history',
    operationId: 'listGoalHistory',
    summary: 'The progress of the last days, newest first, one value a day',
    query: historyQuery,
    answer: z.array(progressAnswer),
    example: {
      query: { days: '30' },
      answer: [{ date: '2026-03-02', value: 3, recorded_at: '2026-03-02T20:15:00Z' }],
    },
    handle: ({ caller, path, query }) => goalHistory(sql, caller.uid, path.id, query.days),
  });

const deleteGoalRoute = ({ sql }: RouteContext): Route =>
  deletion({
    ...heads.remove,
    summary: 'Delete a goal and its history permanently',
    remove: ({ caller, path }) => deleteGoal(sql, caller.uid, path.id),
  });

/** Returns the routes of the developer API for goals. */
export const goalRoutes = (context: RouteContext): readonly Route[] => [
  listGoalsRoute(context),
  getGoalRoute(context),
  createGoalRoute(context),
  updateGoalRoute(context),
  updateGoalProgressRoute(context),
  listGoalHistoryRoute(context),
  deleteGoalRoute(context),
];
