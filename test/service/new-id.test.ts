/** Ids of new records: version 7 UUIDs in order of creation. */
import t from 'tap';
import { validate, version } from 'uuid';
import { newId } from '../../src/service/rules/new-id.js';

const millisecondsOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

t.test('ids are different UUIDs of version 7 that sort by creation', (t) => {
  const before = Date.now();
  const ids = Array.from({ length: 20_000 }, newId);
  const after = Date.now();
  t.ok(ids.every((id) => validate(id) && version(id) === 7));
  t.equal(new Set(ids).size, ids.length);
  t.same(ids.toSorted(), ids);
  t.ok(ids.every((id) => millisecondsOf(id) >= before && millisecondsOf(id) <= after));
  t.ok(new Set(ids.map((id) => id.slice(-10))).size > ids.length - 5, 'the last part is random');
  t.end();
});

t.test('a clock that is set back does not make an earlier id', (t) => {
  const { now } = Date;
  t.teardown(() => {
    Date.now = now;
  });
  const first = newId();
  Date.now = () => now() - 60_000;
  const second = newId();
  t.ok(second > first);
  t.equal(millisecondsOf(second), millisecondsOf(first));
  t.end();
});
