import { z } from 'zod';
import { beginDeletion } from '../../store/accounts/index.js';
import { ownData } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';

const deletionBody = z.object({
  confirm: z.literal('delete my account').meta({ description: 'Must be exactly this text.' }),
});
const answer = z.object({ status: z.literal('deleting') });

/** Returns the route with which users delete their own account. */
export const deletionRoutes = ({ sql }: RouteContext): readonly Route[] => [
  route({
    method: 'POST',
    url: '/v1/users/deletion',
    operationId: 'deleteAccount',
    tag: 'User',
    summary: 'Delete the account and all its data',
    description:
      'The deletion cannot be undone. After the answer every credential of the user is refused: with 403 and `account_deletion_in_progress` ' +
      'until all data is removed, and as an unknown credential afterwards. Open streams are closed with code 4004.',
    ...ownData.write,
    body: deletionBody,
    answer,
    example: { body: { confirm: 'delete my account' }, answer: { status: 'deleting' } },
    handle: async ({ caller }) => {
      await beginDeletion(sql, caller.uid);
      return { status: 'deleting' as const };
    },
  }),
];
