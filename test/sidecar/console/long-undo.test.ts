/** Tests that the time of an undo grows with the number of segments, and not with its square. */
import t from 'tap';
import { consoleHeaders, consoleSession, conversations, startApi } from '../support.js';
import { makeConversations, makeSegments } from './export-support.js';

/**
 * Maximum time of an undo, as a multiple of the time of the split. When the time grew with the square of the length, it
 * was 60 times.
 */
const longest = 10;
const segments = 8000;

t.test('the split of a long conversation is undone about as fast as it was made', async (t) => {
  const api = await startApi(t);
  const { uid, key } = await api.person();
  const headers = consoleHeaders(api, await consoleSession(api.sql, uid));
  await makeConversations(api.sql, uid, 1);
  const [{ id }] = (await api.call(conversations, { credential: key })).body;
  await makeSegments(api.sql, id, segments);
  const [middle] = await api.sql<{ id: string }[]>`
    select id from segments where conversation_id = ${id} and position = ${segments / 2}`;
  const timed = async (path: string, body: object) => {
    const began = performance.now();
    const answer = await api.call(`/console/api/conversations/${path}`, { headers, body });
    return { ...answer, took: performance.now() - began };
  };
  const split = await timed(`${id}/split`, { segment_id: middle!.id });
  t.equal(split.status, 200);
  const undone = await timed('undo', { undo: split.body.undo });
  t.match(undone, { status: 200, body: { ids: [id] } });
  t.ok(undone.took < longest * split.took, `${undone.took} ms after ${split.took} ms`);
});
