import type { Test } from 'tap';
import { createMemories } from '../../../src/service/records/memories.js';
import type { Api } from '../support.js';
import { assistant } from './tool-support.js';

/** Adds the tests of get_memories' orders and of memories' categories. */
export const orderTests = (t: Test, api: Api): void => {
  const { sql } = api;

  t.test('get_memories sorts by each value of `sort`', async (t) => {
    const one = await assistant(api);
    await createMemories(
      sql,
      one.uid,
      'tools',
      ['a', 'b', 'c'].map((content) => ({ content })),
    );
    const set = (content: string, created: string, updated: string, manual: boolean, scoring: string) => sql`
      update memories set created_at = ${created}, updated_at = ${updated}, manually_added = ${manual}, scoring = ${scoring}
      where uid = ${one.uid} and content = ${content}`;
    await set('a', '2026-01-01', '2026-02-03', false, '01');
    await set('b', '2026-01-02', '2026-02-01', true, '00');
    await set('c', '2026-01-03', '2026-02-02', false, '02');
    for (const [sort, expected] of [
      ['created_desc', 'cba'],
      ['updated_desc', 'acb'],
      ['manual_first', 'bac'],
      ['scoring_desc', 'cab'],
    ] as const) {
      const { memories, sort: answered } = await one.call('get_memories', { sort });
      t.equal(answered, sort);
      t.equal(memories.map(({ content }: { content: string }) => content).join(''), expected, sort);
    }
  });

  t.test('memories keep every category that tools accept', async (t) => {
    const one = await assistant(api);
    const categories =
      'interesting core hobbies lifestyle interests habits work skills learnings other'.split(' ');
    for (const category of categories) {
      const { memory } = await one.call('create_memory', { content: `About ${category}`, category });
      t.equal(memory.category, category);
      const found = await one.call('get_memories', { categories: [category] });
      t.same(
        found.memories.map(({ id }: { id: string }) => id),
        [memory.id],
        category,
      );
    }
  });
};
