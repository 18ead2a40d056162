/**
 * `cochlea console` prints a link that opens the console once. An option names the user by email address or uid.
 * Without it, the link is for the only user.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { enterConsole } from '../../../src/identity/console-sessions.js';
import { createUser } from '../../../src/identity/users.js';
import { testDatabase } from '../../support/database/database.js';

const run = promisify(execFile);
const command = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));

t.test('cochlea console prints links', async (t) => {
  const { url, sql } = await testDatabase(t);
  const env = {
    ...process.env,
    DATABASE_URL: url,
    COCHLEA_DATA_DIR: t.testdir(),
    PUBLIC_URL: 'https://c.example',
  };
  const cochlea = async (...args: string[]) => {
    const ended = await run(process.execPath, [command, 'console', ...args], { env }).catch(
      (failed: { code: number; stdout: string; stderr: string }) => failed,
    );
    return { code: 'code' in ended ? ended.code : 0, out: ended.stdout, err: ended.stderr };
  };
  const userOf = async (out: string): Promise<string> => {
    const secret =
      /^Open the console \(works once, 10 minutes\): https:\/\/c\.example\/console\/enter#([\w-]{43})\n$/.exec(
        out,
      );
    return (await enterConsole(sql, secret![1]!)).uid;
  };
  t.match(await cochlea(), { code: 1, err: 'There is no user. Make one with "cochlea users create".\n' });

  await createUser(sql, { uid: 'ann', email: 'Ann@example.org' });
  t.equal(await userOf((await cochlea()).out), 'ann', 'the only user');

  await createUser(sql, { uid: 'ben' });
  t.match(await cochlea(), {
    code: 1,
    err: 'There are several users: ben, ann (Ann@example.org). Name one, for example with "cochlea console --uid ben".\n',
  });
  t.equal(await userOf((await cochlea('--email', 'ann@example.org')).out), 'ann');
  t.match(JSON.parse((await cochlea('--uid', 'ben', '--json')).out), { uid: 'ben', expires_in: 600 });
  t.match(await cochlea('--email', 'eve@example.org'), {
    code: 1,
    err: /no user with the address eve@example\.org\. Make one/,
  });
  t.match(await cochlea('--uid', 'eve'), { code: 1, err: /There is no user eve/ });

  const many = Array.from({ length: 10 }, (_, at) => `user-${at}`);
  for (const uid of [...many, "o'neil \u202e; ls"]) await createUser(sql, { uid });
  const { err } = await cochlea();
  t.match(err, /^There are several users: o'neil \S+ ls, user-9, .*, user-1, and more\. /, 'the ten newest');
  t.notMatch(err, /user-0|ann/);
  const asked = /"(cochlea console --uid .*)"/.exec(err)![1]!;
  t.match(asked, /--uid 'o'\\''neil .*; ls'$/, 'a shell reads one word');
});
