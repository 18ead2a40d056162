import { createHash } from 'node:crypto';
import type { Sql } from '../../src/store/client/database.js';
import { keyOf, uidOf } from './filling.js';

/** One request, ready to be sent. */
export interface PreparedRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A route, and the requests for this route. The load sends the requests one after another. */
export interface Operation {
  readonly route: string;
  readonly requests: readonly PreparedRequest[];
}

/** Number of users that send requests in a measurement. The user with the most conversations is one of them. */
const activeUsers = 100;
/** Number of conversations that requests of each user read. */
const readOfEach = 20;

export const collection = '/v1/dev/user/conversations';
const memories = '/v1/dev/user/memories';

export const authorizationOf = (user: number): Record<string, string> => ({
  authorization: `Bearer ${keyOf(user)}`,
});

/** Shuffles items. The order of the result is equal in every run, and does not depend on the given order. */
const shuffled = <Item>(items: readonly Item[], textOf: (item: Item) => string): Item[] => {
  const keyed = items.map((item) => [createHash('md5').update(textOf(item)).digest('hex'), item] as const);
  return keyed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
};

const userNumber = (uid: string): number => Number(uid.slice('user-'.length));

/**
 * Returns three operations: read a page of 25 conversations, read one conversation with its transcript, create a
 * memory. Successive requests of an operation come from different users.
 * @param users number of users in the database.
 */
export const operationsOf = async (sql: Sql, users: number): Promise<readonly Operation[]> => {
  const numbers = Array.from({ length: Math.min(activeUsers, users) }, (_, index) => index + 1);
  const active = shuffled(numbers, String);
  const read = await sql<{ id: string; uid: string }[]>`
    select found.id, u.uid from unnest(${active.map(uidOf)}::text[]) as u (uid), lateral (
      select c.id from conversations c
      where c.uid = u.uid and exists (select from segments s where s.conversation_id = c.id)
      order by c.created_at desc limit ${readOfEach}) as found`;
  return [
    {
      route: `GET ${collection}`,
      requests: active.map((user) => ({
        method: 'GET',
        path: `${collection}?limit=25`,
        headers: authorizationOf(user),
      })),
    },
    {
      route: `GET ${collection}/{id}`,
      requests: shuffled(read, ({ id }) => id).map(({ id, uid }) => ({
        method: 'GET',
        path: `${collection}/${id}?include_transcript=true`,
        headers: authorizationOf(userNumber(uid)),
      })),
    },
    {
      route: `POST ${memories}`,
      requests: active.map((user) => ({
        method: 'POST',
        path: memories,
        headers: { ...authorizationOf(user), 'content-type': 'application/json' },
        body: JSON.stringify({
          content: `Takes the train at ${user % 24}:05 and reads on the way`,
          category: 'habits',
          tags: ['travel', 'morning'],
        }),
      })),
    },
  ];
};
