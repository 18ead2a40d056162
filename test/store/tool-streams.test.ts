/**
 * Tests messages for streams of another sidecar: who may send them, how many may wait, and the cleanup after a lost
 * sidecar.
 */
import t from 'tap';
import { fixedLimits } from '../../src/config/limits/limits.js';
import { createUser } from '../../src/identity/users.js';
import {
  recordToolStream,
  removeToolStreams,
  renewToolStreams,
  type StreamMessage,
  sendToToolStream,
  takeToolStreamMessages,
  toolStreamChannel,
} from '../../src/store/accounts/tool-streams.js';
import { testDatabase } from '../support/database/database.js';

const lease = 60_000;
const most = fixedLimits.toolStreamMessages.value;

t.test('messages for streams of another sidecar', async (t) => {
  const { sql } = await testDatabase(t);
  const { uid } = await createUser(sql, { uid: 'ann' });
  const told: string[] = [];
  await sql.listen(toolStreamChannel, (sidecar) => told.push(sidecar));
  const text = (n: number): StreamMessage => ({
    stream: 'one',
    scopes: ['a', 'b'],
    revision: n % 2 ? '2025-03-26' : null,
    message: `{"n":${n}}`,
  });
  const send = (message: StreamMessage, by = uid) => sendToToolStream(sql, by, message, most, lease);
  const take = (sidecar: string, count: number, ofUser = count, except: readonly string[] = []) =>
    takeToolStreamMessages(sql, sidecar, { most: count, ofUser, except });
  await recordToolStream(sql, { id: 'one', uid, sidecar: 'A' });

  t.same([await send(text(0), 'bob'), await send({ ...text(0), stream: 'x' })], ['unknown', 'unknown']);
  for (let n = 0; n < most; n++) t.equal(await send(text(n)), 'sent');
  t.equal(await send(text(most)), 'full', 'the queue of the stream is full');
  await sql`select 1`;
  t.same(await take('B', 100), [], 'another sidecar gets nothing');
  const taken = await take('A', 3);
  t.match(taken, [text(0), text(1), text(2)], 'oldest first, unchanged');
  t.equal(await send(text(most)), 'sent', 'the queue has room again');
  t.equal((await take('A', 100)).length, most - 2);
  t.same([...new Set(told)], ['A'], "a notification contains only the sidecar's id");

  const { uid: bob } = await createUser(sql, { uid: 'bob' });
  await recordToolStream(sql, { id: 'of bob', uid: bob, sidecar: 'A' });
  for (let n = 0; n < 3; n++) await send(text(n));
  for (let n = 3; n < 5; n++) await send({ ...text(n), stream: 'of bob' }, bob);
  t.match(
    await take('A', 2, 1),
    [text(0), { stream: 'of bob' }],
    'a user with many messages does not delay another user',
  );
  t.match(await take('A', 9, 9, [uid]), [{ stream: 'of bob' }], 'leaves the messages of an excluded user');
  t.equal((await take('A', 9)).length, 2);
  await removeToolStreams(sql, ['of bob']);

  await send(text(1));
  await sql`update tool_streams set seen_at = now() - interval '61 seconds'`;
  t.equal(await send(text(2)), 'unknown', 'the sidecar has not renewed its streams');
  t.same(await renewToolStreams(sql, 'A', lease), new Set(['one']), 'a late renewal keeps the stream');
  t.equal(await send(text(3)), 'sent');
  await sql`update tool_streams set seen_at = now() - interval '61 seconds'`;
  t.same(await renewToolStreams(sql, 'B', lease), new Set());
  t.same(await renewToolStreams(sql, 'A', lease), new Set(), 'another sidecar has removed the lost streams');
  t.same(await take('A', 100), [], 'and their messages');
  await recordToolStream(sql, { id: 'two', uid, sidecar: 'A' });
  await removeToolStreams(sql, ['two']);
  t.equal(await send({ ...text(0), stream: 'two' }), 'unknown');
});
