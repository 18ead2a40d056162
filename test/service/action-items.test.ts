import { createHash } from 'node:crypto';
import t from 'tap';
import { createUser } from '../../src/identity/users.js';
import {
  createActionItems,
  deleteActionItem,
  listActionItems,
  updateActionItem,
} from '../../src/service/records/action-items.js';
import { testDatabase } from '../support/database/database.js';
import { plansOf } from '../support/database/plan.js';

t.test('action items', async (t) => {
  const { sql } = await testDatabase(t);
  let users = 0;
  const user = async (): Promise<string> => (await createUser(sql, { uid: `user-${++users}` })).uid;
  const add = (owner: string, description: string, more: object = {}, key?: string) =>
    createActionItems(sql, owner, [{ description, ...more }], key).then(([item]) => item!);
  const descriptions = async (owner: string, query: object = {}): Promise<string[]> =>
    (await listActionItems(sql, owner, { limit: 100, ...query })).items.map(({ description }) => description);
  const day = (date: number): Date => new Date(Date.UTC(2026, 4, date));

  await t.test('open tasks come before completed ones, and filters and pages keep the order', async (t) => {
    const owner = await user();
    await add(owner, 'done late', { completed: true, due_at: day(9) });
    await add(owner, 'done', { completed: true });
    await add(owner, 'whenever, older');
    await add(owner, 'whenever, newer');
    await add(owner, 'due second', { due_at: day(3) });
    await add(owner, 'due first', { due_at: day(2) });
    await sql`update action_items set created_at = created_at - interval '1 hour' where description like '%older'`;
    const all = ['due first', 'due second', 'whenever, newer', 'whenever, older', 'done late', 'done'];
    t.same(await descriptions(owner), all);
    t.same(await descriptions(owner, { completed: true }), all.slice(4));
    t.same(await descriptions(owner, { completed: false }), all.slice(0, 4));
    t.same(await descriptions(owner, { limit: 2, offset: 3 }), all.slice(3, 5));
    const half = new Date(Date.now() - 1_800_000);
    t.same(await descriptions(owner, { to: half }), ['whenever, older']);
    t.same(await descriptions(owner, { from: half, completed: true }), ['done late', 'done']);
    for (const limit of [1, 2, 3, 5]) {
      const read: string[] = [];
      let cursor: string | undefined;
      do {
        const part = await listActionItems(sql, owner, { limit, cursor });
        t.ok(part.items.length === limit || part.next === null, 'only the last page is short');
        read.push(...part.items.map(({ description }) => description));
        cursor = part.next ?? undefined;
      } while (cursor !== undefined);
      t.same(read, all, `pages of ${limit}`);
    }
  });

  await t.test('locked tasks are omitted before paging and cannot be changed', async (t) => {
    const owner = await user();
    const items = await createActionItems(
      sql,
      owner,
      ['a', 'b', 'c', 'd'].map((description, index) => ({ description, due_at: day(index + 1) })),
    );
    await sql`update action_items set is_locked = true where id in (${items[0]!.id}, ${items[2]!.id})`;
    t.same(await descriptions(owner, { limit: 2 }), ['b', 'd']);
    const refusal = { code: 'locked', message: 'A paid plan is required to access this action item.' };
    await t.rejects(updateActionItem(sql, owner, items[0]!.id, { completed: true }), refusal);
    await t.rejects(deleteActionItem(sql, owner, items[0]!.id), refusal);
  });

  await t.test('an absent field keeps its value, null clears it, and completion sets a time', async (t) => {
    const owner = await user();
    const item = await add(owner, ' Call\0 the plumber ', { due_at: day(7) });
    t.match(item, { description: 'Call\ufffd the plumber', completed: false, completed_at: null });
    t.equal(item.due_at, '2026-05-07T00:00:00Z');
    const done = await updateActionItem(sql, owner, item.id, { completed: true });
    t.match(done, { due_at: item.due_at, completed: true, completed_at: /Z$/ });
    const again = await updateActionItem(sql, owner, item.id, { completed: true, description: 'Call' });
    t.match(again, { description: 'Call', completed_at: done.completed_at });
    const cleared = await updateActionItem(sql, owner, item.id, { due_at: null });
    t.match(cleared, { due_at: null, completed: true });
    const open = await updateActionItem(sql, owner, item.id, { completed: false });
    t.match(open, { completed: false, completed_at: null, due_at: null });
    t.match(await add(owner, 'already', { completed: true }), { completed: true, completed_at: /Z$/ });
  });

  await t.test('refuses invalid tasks, and unknown tasks and tasks of others are not found', async (t) => {
    const owner = await user();
    const { id } = await add(owner, 'mine');
    const { id: foreign } = await add(await user(), 'foreign');
    await t.rejects(createActionItems(sql, owner, Array(51).fill({ description: 'x' })), {
      message: 'Maximum 50 action items per batch request',
    });
    await t.rejects(createActionItems(sql, owner, [{ description: 'sound' }, { description: ' ' }]), {
      message: 'description cannot be empty',
    });
    await t.rejects(add(owner, '🧠'.repeat(501)), { code: 'validation_failed' });
    await t.rejects(updateActionItem(sql, owner, id, {}), { code: 'validation_failed' });
    for (const unknown of [foreign, 'nonsense', '00000000-0000-4000-8000-000000000000']) {
      const absent = { code: 'record_not_found', message: 'Action item not found' };
      await t.rejects(updateActionItem(sql, owner, unknown, { completed: true }), absent);
      await t.rejects(deleteActionItem(sql, owner, unknown), absent);
    }
    t.same(await descriptions(owner, { conversationId: 'nonsense' }), []);
    await deleteActionItem(sql, owner, id);
    t.same(await descriptions(owner), []);
  });

  await t.test('a repeated key creates a batch once', async (t) => {
    const owner = await user();
    const batch = [{ description: 'one' }, { description: 'two', due_at: day(1) }];
    const made = await Promise.all(
      Array.from({ length: 5 }, () => createActionItems(sql, owner, batch, 'same')),
    );
    for (const one of made) t.same(one, made[0]);
    t.equal((await descriptions(owner)).length, 2);
  });

  await t.test('accepts the key of a request that an earlier version stored', async (t) => {
    const owner = await user();
    const item = await add(owner, 'one', { due_at: day(1) });
    const hashed = JSON.stringify([{ description: 'one', completed: false, dueAt: day(1) }]);
    await sql`
      insert into idempotency_keys (uid, operation, key, fingerprint, ids)
      values (${owner}, 'action_items', 'old', ${createHash('sha256').update(hashed).digest('base64url')}, ${[item.id]})`;
    t.same(await add(owner, 'one', { completed: false, due_at: day(1) }, 'old'), item);
    await t.rejects(add(owner, 'one', { completed: false }, 'old'), { code: 'idempotency_conflict' });
  });

  await t.test('lists are read from their index, also after a cursor', async (t) => {
    const owner = await user();
    await sql`
      insert into action_items (id, uid, description, completed, due_at, created_at, updated_at)
      select gen_random_uuid(), ${owner}, 'd', n % 3 = 0,
        case when n % 2 = 0 then now() + make_interval(secs => n) end, now() - make_interval(secs => n), now()
      from generate_series(1, 6000) n`;
    await sql`analyze action_items`;
    const far = (await listActionItems(sql, owner, { limit: 1, offset: 3500 })).next!;
    const plans = await plansOf(sql, 'from action_items', async (watched) => {
      await listActionItems(watched, owner, { limit: 25 });
      await listActionItems(watched, owner, { limit: 25, cursor: far });
      await listActionItems(watched, owner, { limit: 25, completed: true });
    });
    t.equal(plans.length, 3);
    for (const plan of plans) {
      t.match(plan, /Index Scan using action_items_in_order/);
      t.notMatch(plan, /Sort/);
    }
    t.match(plans[1], /Index Cond: .*completed.*>=/s, 'the index finds the position');
  });
});
