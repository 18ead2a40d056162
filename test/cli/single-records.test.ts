/** Reads single records from services that only offer lists. */
import t from 'tap';
import { type Answer, json, startFake } from './fake-service.js';

const rows = Array.from({ length: 250 }, (_, number) => ({
  id: `id-${number}`,
  content: `Fact ${number}`,
  description: `Task ${number}`,
}));

/** A service that omits every tenth record from its pages. It answers a request for a single record with `single`. */
const listsOnly =
  (single: Answer): Answer =>
  (request, response, turn) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://service');
    if (!/(memories|action-items)$/.test(pathname)) return single(request, response, turn);
    const offset = Number(searchParams.get('offset') ?? 0);
    const page = rows.slice(offset, offset + Number(searchParams.get('limit')));
    return json(page.filter((_, index) => index % 10 !== 9))(request, response, turn);
  };

t.test('finds a record in the list if the service has no route for single records', async (t) => {
  const { ask, seen } = await startFake(t);
  for (const single of [
    json({ detail: 'Method Not Allowed' }, {}, 405),
    json({ detail: 'Not Found' }, {}, 404),
  ]) {
    for (const [kind, text] of [
      ['memory', 'Fact'],
      ['action-item', 'Task'],
    ] as const) {
      const found = await ask([kind, 'get', 'id-232'], listsOnly(single));
      t.equal(found.code, 0, found.err);
      t.match(found.out, `${text} 232`);
      t.equal(seen.length, 4, 'no page after the record is read');
      const absent = await ask([kind, 'get', 'id-999'], listsOnly(single));
      t.equal(absent.code, 5);
      t.match(absent.err, /Not found: the list has no (memory|action item) id-999\./);
    }
  }
});

t.test('does not read the list if the service reports a missing record', async (t) => {
  const { ask, seen } = await startFake(t);
  const { code } = await ask(
    ['memory', 'get', 'x'],
    listsOnly(json({ detail: 'Memory not found' }, {}, 404)),
  );
  t.equal(code, 5);
  t.equal(seen.length, 1);
});

t.test('stops reading an endless list', async (t) => {
  const { ask, seen } = await startFake(t);
  const endless: Answer = (request, response, turn) =>
    json(rows.slice(0, 100), {}, request.url!.includes('?') ? 200 : 405)(request, response, turn);
  const { code } = await ask(['memory', 'get', 'x'], endless);
  t.equal(code, 5);
  t.equal(seen.length, 201);
});
