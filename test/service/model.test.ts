/**
 * Compares random operations of several users with a model in memory. No user reads or changes another user's row. No write is lost or
 * done twice. Pages contain every row once, in one order.
 */
import fc from 'fast-check';
import t from 'tap';
import { createUser } from '../../src/identity/users.js';
import type { Paged } from '../../src/service/rules/paging.js';
import { testDatabase } from '../support/database/database.js';
import { hides, type Resource, resources } from './model-resources.js';

const users = 3;
const who = fc.nat(users - 1);
const text = fc.integer({ min: 1, max: 1_000_000 }).map((number) => `text ${number}`);
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('create' as const), who, text, repeats: fc.nat(2) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('change' as const, 'hide' as const, 'show' as const, 'remove' as const),
      who,
      owner: who,
      which: fc.nat(20),
      text,
    }),
  },
);

interface Known {
  readonly id: string;
  text: string;
  hidden: boolean;
}

t.test('random operations of several users match a model', async (t) => {
  const { sql } = await testDatabase(t);
  let made = 0;

  const everyPage = async (resource: Resource, uid: string, limit: number) => {
    const rows: { id: string; text: string }[] = [];
    let cursor: string | undefined;
    do {
      const page: Paged<{ id: string; text: string }> = await resource.list(sql, uid, { limit, cursor });
      if (page.next !== null && page.items.length < limit) throw new Error('a page before the last is short');
      rows.push(...page.items);
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    return rows;
  };

  const everyOffset = async (resource: Resource, uid: string, limit: number) => {
    const rows: { id: string; text: string }[] = [];
    for (;;) {
      const { items } = await resource.list(sql, uid, { limit, offset: rows.length });
      rows.push(...items);
      if (items.length === 0 || resource.pageless) return rows;
    }
  };

  /** Stores a user's write in the model. */
  const put = (rows: Known[], { id, text }: { readonly id: string; readonly text: string }): void => {
    const known = rows.find((row) => row.id === id);
    if (known === undefined) rows.push({ id, text, hidden: false });
    else known.text = text;
  };

  for (const [name, resource] of Object.entries(resources)) {
    await t.test(name, async (t) => {
      let compared = 0;
      const property = fc.asyncProperty(
        fc.array(operation, { minLength: 5, maxLength: 25 }),
        fc.integer({ min: 1, max: 4 }),
        async (operations, limit) => {
          const uids: string[] = [];
          for (let index = 0; index < users; index++) {
            uids.push((await createUser(sql, { uid: `model-${++made}` })).uid);
          }
          const model: Known[][] = uids.map(() => []);
          for (const one of operations) {
            const uid = uids[one.who]!;
            if (one.kind === 'create') {
              const key = one.repeats === 0 ? null : `key ${++made}`;
              const sent = Array.from({ length: 1 + one.repeats }, () =>
                resource.create(sql, uid, one.text, key),
              );
              const ids = new Set((await Promise.all(sent)).map(({ id }) => id));
              if (ids.size !== 1) throw new Error('a repeated creation made several rows');
              put(model[one.who]!, { id: [...ids][0]!, text: one.text });
              continue;
            }
            const rows = model[one.owner]!;
            const known = rows[one.which % Math.max(1, rows.length)];
            if (known === undefined) continue;
            const { hide } = resource;
            if (hide === undefined && (one.kind === 'hide' || one.kind === 'show')) continue;
            const act = (): Promise<unknown> => {
              if (one.kind === 'remove') return resource.remove(sql, uid, known.id);
              if (one.kind === 'change') return resource.change(sql, uid, known.id, one.text);
              return hide!(sql, uid, known.id, one.kind === 'hide');
            };
            const knows = (rows: readonly Known[]) => rows.some(({ id }) => id === known.id);
            if (one.kind === 'change' && resource.writesUnknown) {
              await act();
              put(model[one.who]!, { id: known.id, text: one.text });
              continue;
            }
            if (one.who !== one.owner && !knows(model[one.who]!)) {
              const thrown = await act().then(
                () => null,
                (error: { message: string }) => error.message,
              );
              if (!/not found$/.test(thrown ?? '')) throw new Error(`a foreign row was reached: ${thrown}`);
              continue;
            }
            await act();
            const own = model[one.who]!;
            if (one.kind === 'remove')
              own.splice(
                own.findIndex(({ id }) => id === known.id),
                1,
              );
            else if (one.kind === 'change') known.text = one.text;
            else known.hidden = one.kind === 'hide' && hides(name);
          }
          for (const [index, uid] of uids.entries()) {
            const expected = model[index]!.filter(({ hidden }) => !hidden)
              .map(({ id, text }) => `${id} ${text}`)
              .sort();
            const listed = await everyPage(resource, uid, limit);
            if (JSON.stringify(await everyOffset(resource, uid, limit)) !== JSON.stringify(listed)) {
              throw new Error('pages by offset are not those by cursor');
            }
            const found = listed.map(({ id, text }) => `${id} ${text}`).sort();
            if (JSON.stringify(found) !== JSON.stringify(expected)) {
              throw new Error(`expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
            }
            compared += found.length;
          }
        },
      );
      await t.resolves(fc.assert(property, { numRuns: 8 }));
      t.ok(compared > 5, `${compared} rows compared`);
    });
  }
});
