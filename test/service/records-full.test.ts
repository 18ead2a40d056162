/** The number of a user's memories, action items and goals is limited. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { fixedLimits } from '../../src/config/limits/limits.js';
import { createUser } from '../../src/identity/users.js';
import { createActionItems, deleteActionItem } from '../../src/service/records/action-items.js';
import { createGoal, deleteGoal } from '../../src/service/records/goals.js';
import { createMemories, deleteMemory } from '../../src/service/records/memories.js';
import type { Sql } from '../../src/store/client/database.js';
import { testDatabase } from '../support/database/database.js';

interface Kind {
  readonly most: number;
  /** Inserts rows of a user directly. */
  fill(sql: Sql, uid: string, count: number): Promise<unknown>;
  /** Creates `count` records in one request, and returns the first. Goals ignore `count` and create one. */
  create(sql: Sql, uid: string, count: number): Promise<{ readonly id: string }>;
  remove(sql: Sql, uid: string, id: string): Promise<void>;
  readonly oneAtOnce?: true;
}

const kinds: Readonly<Record<string, Kind>> = {
  memories: {
    most: fixedLimits.memoriesPerUser.value,
    fill: (sql, uid, count) => sql`
      insert into memories (id, uid, content, category, visibility, manually_added, reviewed, scoring, created_at, updated_at)
      select gen_random_uuid(), ${uid}, 'Likes trains', 'habits', 'private', true, true, '01_999_1', now(), now()
      from generate_series(1, ${count}::integer)`,
    create: async (sql, uid, count) =>
      (await createMemories(sql, uid, 'developer', new Array(count).fill({ content: 'Likes tea' })))[0]!,
    remove: deleteMemory,
  },
  'action items': {
    most: fixedLimits.actionItemsPerUser.value,
    fill: (sql, uid, count) => sql`
      insert into action_items (id, uid, description, completed, created_at, updated_at)
      select gen_random_uuid(), ${uid}, 'Buy tea', false, now(), now() from generate_series(1, ${count}::integer)`,
    create: async (sql, uid, count) =>
      (await createActionItems(sql, uid, new Array(count).fill({ description: 'Buy tea' })))[0]!,
    remove: deleteActionItem,
  },
  goals: {
    most: fixedLimits.goalsPerUser.value,
    fill: (sql, uid, count) => sql`
      insert into goals (id, uid, title, desired_outcome, status, source, created_at, updated_at)
      select gen_random_uuid(), ${uid}, 'Run', 'Run', 'paused', 'user', now(), now()
      from generate_series(1, ${count}::integer)`,
    create: (sql, uid) => createGoal(sql, uid, { title: 'Run' }),
    remove: deleteGoal,
    oneAtOnce: true,
  },
};

t.test("limits a user's memories, action items and goals", async (t) => {
  const { sql } = await testDatabase(t);
  for (const [name, { most, fill, create, remove, oneAtOnce }] of Object.entries(kinds)) {
    await t.test(name, async (t) => {
      const { uid } = await createUser(sql, { uid: randomUUID() });
      const full = { code: 'records_full', message: `A user may have at most ${most} ${name}` };
      await fill(sql, uid, most - 1);
      if (!oneAtOnce)
        await t.rejects(create(sql, uid, 2), full, 'a request that exceeds the limit creates nothing');
      const { id } = await create(sql, uid, 1);
      await t.rejects(create(sql, uid, 1), full);
      await remove(sql, uid, id);
      await create(sql, uid, 1);
      const { uid: other } = await createUser(sql, { uid: randomUUID() });
      await create(sql, other, 1);
    });
  }
});
