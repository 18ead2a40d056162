/**
 * Random operations of several users against a model in memory: no user reads or changes a row of another one, no write is lost
 * or done twice, and pages have every row once.
 */
import fc from 'fast-check';
import t from 'tap';
import { createUser } from '../../src/identity/index.js';
import {
  createActionItems,
  createFromText,
  createGoal,
  createMemories,
  deleteActionItem,
  deleteConversation,
  deleteGoal,
  deleteMemory,
  extractiveExtractor,
  listActionItems,
  listConversationsOf,
  listGoals,
  listMemories,
  type Paged,
  type PageRequest,
  updateActionItem,
  updateConversation,
  updateGoal,
  updateMemory,
} from '../../src/service/index.js';
import type { Sql } from '../../src/store/database.js';
import { testDatabase } from '../support/database.js';

/** What every resource can do, reduced to a text and a flag; `list` names what a user sees. */
interface Resource {
  create(sql: Sql, uid: string, text: string, key: string | null): Promise<{ readonly id: string }>;
  change(sql: Sql, uid: string, id: string, text: string): Promise<unknown>;
  /** Turns something on a row that takes it out of the list, or brings it back. */
  hide(sql: Sql, uid: string, id: string, hidden: boolean): Promise<unknown>;
  remove(sql: Sql, uid: string, id: string): Promise<void>;
  list(
    sql: Sql,
    uid: string,
    page: PageRequest,
  ): Promise<Paged<{ readonly id: string; readonly text: string }>>;
}

const named = <Item extends { readonly id: string }>(
  { items, next }: Paged<Item>,
  text: (item: Item) => string,
) => ({ items: items.map((item) => ({ id: item.id, text: text(item) })), next });

const resources: Readonly<Record<string, Resource>> = {
  memories: {
    create: async (sql, uid, content, key) =>
      (await createMemories(sql, uid, 'developer', [{ content }], key))[0]!,
    change: (sql, uid, id, content) => updateMemory(sql, uid, 'developer', id, { content }),
    hide: (sql, uid, id, hidden) =>
      updateMemory(sql, uid, 'developer', id, { category: hidden ? 'work' : 'habits' }),
    remove: deleteMemory,
    list: async (sql, uid, page) =>
      named(
        await listMemories(sql, uid, 'developer', { ...page, categories: ['habits', 'system', 'other'] }),
        ({ content }) => content,
      ),
  },
  'action items': {
    create: async (sql, uid, description, key) =>
      (await createActionItems(sql, uid, [{ description }], key))[0]!,
    change: (sql, uid, id, description) => updateActionItem(sql, uid, id, { description }),
    hide: (sql, uid, id, completed) => updateActionItem(sql, uid, id, { completed }),
    remove: deleteActionItem,
    list: async (sql, uid, page) =>
      named(await listActionItems(sql, uid, { ...page, completed: false }), ({ description }) => description),
  },
  conversations: {
    create: (sql, uid, text, clientSessionId) =>
      createFromText(sql, extractiveExtractor, uid, { text, clientSessionId }).then(async (made) => {
        await updateConversation(sql, uid, made.id, { title: text });
        return made;
      }),
    change: (sql, uid, id, title) => updateConversation(sql, uid, id, { title }),
    hide: (sql, uid, id, discarded) => updateConversation(sql, uid, id, { discarded }),
    remove: deleteConversation,
    list: async (sql, uid, page) =>
      named(
        await listConversationsOf(sql, uid, { ...page, transcript: false }),
        ({ structured }) => structured.title,
      ),
  },
  goals: {
    // Goals that are not active from the start on, so that no other goal is paused for them.
    create: (sql, uid, title, key) => createGoal(sql, uid, { title, status: 'paused' }, key),
    change: (sql, uid, id, title) => updateGoal(sql, uid, id, { title }),
    hide: (sql, uid, id, hidden) => updateGoal(sql, uid, id, { status: hidden ? 'achieved' : 'paused' }),
    remove: deleteGoal,
    list: async (sql, uid, page) => {
      const part = await listGoals(sql, uid, { ...page, inactive: true });
      return named(part, ({ title }) => title);
    },
  },
};

/** Hidden goals stay in the list of all goals. */
const hides = (resource: string): boolean => resource !== 'goals';

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

t.test('random operations of several users', async (t) => {
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
              model[one.who]!.push({ id: [...ids][0]!, text: one.text, hidden: false });
              continue;
            }
            const rows = model[one.owner]!;
            const known = rows[one.which % Math.max(1, rows.length)];
            if (known === undefined) continue;
            const act = (): Promise<unknown> => {
              if (one.kind === 'remove') return resource.remove(sql, uid, known.id);
              if (one.kind === 'change') return resource.change(sql, uid, known.id, one.text);
              return resource.hide(sql, uid, known.id, one.kind === 'hide');
            };
            if (one.who !== one.owner) {
              const thrown = await act().then(
                () => null,
                (error: { message: string }) => error.message,
              );
              if (!/not found$/.test(thrown ?? '')) throw new Error(`a foreign row was reached: ${thrown}`);
              continue;
            }
            await act();
            if (one.kind === 'remove') rows.splice(rows.indexOf(known), 1);
            else if (one.kind === 'change') known.text = one.text;
            else known.hidden = one.kind === 'hide' && hides(name);
          }
          for (const [index, uid] of uids.entries()) {
            const expected = model[index]!.filter(({ hidden }) => !hidden)
              .map(({ id, text }) => `${id} ${text}`)
              .sort();
            const found = (await everyPage(resource, uid, limit))
              .map(({ id, text }) => `${id} ${text}`)
              .sort();
            if (JSON.stringify(found) !== JSON.stringify(expected)) {
              throw new Error(`expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
            }
            compared += found.length;
          }
        },
      );
      await t.resolves(fc.assert(property, { numRuns: 12 }));
      t.ok(compared > 20, `${compared} rows compared`);
    });
  }
});
