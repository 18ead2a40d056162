/** Runs every command of the user client against a running server, and compares the output with transcripts. */
import { join } from 'node:path';
import t from 'tap';
import { release } from '../../src/config/process/release.js';
import { developerScopes } from '../../src/identity/scopes.js';
import { startApi } from '../sidecar/support.js';
import { until } from '../support/until.js';
import { command, folder, Names, type RunOptions, transcript } from './support.js';

t.test('output of the commands', async (t) => {
  const api = await startApi(t);
  const { key } = await api.person(developerScopes);
  const config = join(await folder(t), 'config.toml');
  const env = { COCHLEA_CONFIG: config, COCHLEA_API_BASE: api.base, NO_COLOR: '1' };
  const names = new Names({
    BASE: api.base,
    CONFIG: config,
    KEY: key,
    MASKED: `${key.slice(0, 6)}…${key.slice(-4)}`,
    VERSION: `"version": "${release}"`,
  });

  await t.test('signs in with a key', (t) => transcript(t, 'auth.txt', names, { env }));
  await t.test('memories', (t) => transcript(t, 'memory.txt', names, { env }));

  /** Makes a new user, so that no records of earlier transcripts appear in the output. */
  const another = async (): Promise<RunOptions> => {
    const other = await api.person(developerScopes);
    return { env: { ...env, COCHLEA_API_KEY: other.key } };
  };
  await t.test('conversations', async (t) => {
    const [options, named] = [await another(), new Names({})];
    await transcript(t, 'conversation-create.txt', named, options);
    // Checks whether the tasks and folders of the conversations exist. They appear soon after the conversations.
    const found = async (): Promise<boolean> => {
      const tasks = await command(['--json', 'action-item', 'list'], options);
      const filed = await command(['--json', 'folder', 'list'], options);
      const folders = JSON.parse(filed.out) as { conversation_count: number }[];
      const count = folders.reduce((sum, { conversation_count: one }) => sum + one, 0);
      return (JSON.parse(tasks.out) as unknown[]).length === 3 && count === 1;
    };
    await until(found, 'tasks and folders of the conversations');
    await transcript(t, 'conversation.txt', named, options);
  });
  await t.test('tasks', async (t) => transcript(t, 'action-item.txt', new Names({}), await another()));
  await t.test('goals', async (t) => transcript(t, 'goal.txt', new Names({}), await another()));

  await t.test('lists paused goals and more days of the history on request', async (t) => {
    const options = await another();
    const read = async (...words: string[]) => {
      const { code, out, err } = await command(['--json', 'goal', ...words], options);
      t.equal(code, 0, err);
      return JSON.parse(out);
    };
    for (const title of ['first', 'second', 'third', 'fourth'])
      await read('create', title, '--type', 'numeric', '--target', '9');
    const titles = async (...flags: string[]): Promise<string[]> =>
      (await read('list', ...flags)).map(({ title }: { title: string }) => title);
    t.same(await titles(), ['second', 'third', 'fourth'], 'three goals are active');
    t.same(await titles('--include-inactive'), ['fourth', 'third', 'second', 'first']);
    const [{ id }] = await read('list');
    await read('progress', id, '4');
    await api.sql`
      insert into goal_history (goal_id, day, value, recorded_at)
      select ${id}, day - ago, ago, now() from goal_history, unnest(array[1, 5, 40]) as ago where goal_id = ${id}`;
    const values = async (...flags: string[]): Promise<number[]> =>
      (await read('history', id, ...flags)).map(({ value }: { value: number }) => value);
    t.same(await values(), [4, 1, 5], 'thirty days by default');
    t.same(await values('--days', '2'), [4, 1]);
    t.same(await values('--days', '100'), [4, 1, 5, 40]);
  });

  await t.test('reads lists of several pages to their end', async (t) => {
    for (let batch = 0; batch < 10; batch++) {
      const memories = Array.from({ length: 25 }, (_, number) => ({
        content: `Fact ${batch * 25 + number}`,
      }));
      const made = await command(['memory', 'create-batch', '-'], { env, stdin: JSON.stringify(memories) });
      t.equal(made.code, 0, made.err);
    }
    const lines = await command(['memory', 'list', '--all', '--jsonl'], { env });
    const ids = lines.out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    t.ok(ids.length >= 250);
    t.equal(new Set(ids).size, ids.length, 'no record twice');
    const json = await command(['--json', 'memory', 'list', '--limit', '230'], { env });
    t.same(
      (JSON.parse(json.out) as { id: string }[]).map(({ id }) => id),
      ids.slice(0, 230),
    );
    const recent = await command(['--json', 'memory', 'list', '--since', '1h', '--limit', '3'], { env });
    t.equal((JSON.parse(recent.out) as unknown[]).length, 3);
    const none = await command(['--json', 'memory', 'list', '--since', '2999-01-01'], { env });
    t.same(JSON.parse(none.out), []);
  });
});
