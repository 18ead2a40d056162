/** `cochlea jobs` counts and lists jobs without transcript text, and runs failed jobs again. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { createUser } from '../../../src/identity/users.js';
import { testDatabase } from '../../support/database/database.js';

const run = promisify(execFile);
const command = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));

t.test('cochlea jobs counts, lists, retries and reprocesses', async (t) => {
  const { url, sql } = await testDatabase(t);
  const env = { ...process.env, DATABASE_URL: url, COCHLEA_DATA_DIR: t.testdir() };
  const cochlea = async (...args: string[]) => {
    const ended = await run(process.execPath, [command, 'jobs', ...args], { env }).catch(
      (failed: { code: number; stdout: string; stderr: string }) => failed,
    );
    return { code: 'code' in ended ? ended.code : 0, out: ended.stdout, err: ended.stderr };
  };
  t.match(await cochlea('count'), { code: 0, out: 'There are no jobs.\n' });

  await createUser(sql, { uid: 'ann' });
  const conversation = async (status: string): Promise<string> => {
    const [row] = await sql<{ id: string }[]>`
      insert into conversations (id, uid, status, source, created_at, last_speech_at, structured)
      values (gen_random_uuid(), 'ann', ${status}, 'phone', now(), now(), '{"title":"secret"}') returning id`;
    return row!.id;
  };
  const [done, failed] = [await conversation('completed'), await conversation('failed')];
  await sql`
    insert into steps (step, key, uid, conversation_id, state, attempts, generated_by, error, ended_at) values
      ('structure', ${done}, 'ann', ${done}, 'done', 1, 'llm:tiny', null, now()),
      ('memories', ${done}, 'ann', ${done}, 'dead', 5, 'extractive-2', 'llm_unavailable', now()),
      ('folder', ${done}, 'ann', ${done}, 'waiting', 0, null, null, null)`;

  t.same(JSON.parse((await cochlea('count', '--json')).out), [
    { step: 'folder', state: 'waiting', count: 1 },
    { step: 'memories', state: 'dead', count: 1 },
    { step: 'structure', state: 'done', count: 1 },
    { step: 'summary', state: 'dead', count: 1 },
  ]);
  const dead = await cochlea('list', '--state', 'dead');
  t.match(dead.out, `memories:${done}  dead`);
  t.match(dead.out, 'error=llm_unavailable  by=extractive-2');
  t.match(dead.out, `summary:${failed}  dead`);
  t.notMatch(dead.out, 'structure');
  const all = await cochlea('list', '--json', '--uid', 'ann');
  t.equal((JSON.parse(all.out) as unknown[]).length, 4);
  t.notMatch(all.out + dead.out, 'secret', 'nothing that was said is printed');
  t.match(await cochlea('list', '--limit', '0'), { code: 1, err: /whole number/ });

  t.match(await cochlea('retry', `folder:${done}`), { code: 1, err: /No job .* is dead/ });
  t.match(await cochlea('retry', `memories:${done}`), { code: 0, out: /^1 jobs are run again\.$/m });
  t.match(await cochlea('retry'), { code: 0, out: /^1 jobs are run again\.$/m });
  const [memories] = await sql`select state, run, attempts from steps where step = 'memories'`;
  t.same(memories, { state: 'waiting', run: 2, attempts: 0 });
  const [again] = await sql`select status from conversations where id = ${failed}`;
  t.equal(again!.status, 'processing');

  t.match(await cochlea('reprocess', failed), { code: 1, err: /not been processed yet/ });
  t.match(await cochlea('reprocess', done), { code: 0, out: /is processed again/ });
  const [structure] = await sql`select state, run from steps where step = 'structure'`;
  t.same(structure, { state: 'waiting', run: 2 });
  t.match(await cochlea('reprocess', 'none'), { code: 1, err: /not found/ });
});
