/**
 * Tests which user account is chosen for the product's processes when root starts the product. A table has the
 * answers of the system's programs, which do not run.
 */
import t from 'tap';
import { type AccountSource, namedAccount, serverAccount } from '../../src/app/privileges/accounts.js';

/** Returns a system that answers the program calls of `answers`. Other calls fail. `asked` collects all calls. */
const systemOf = (
  platform: NodeJS.Platform,
  answers: Readonly<Record<string, string>>,
  asked: string[] = [],
): AccountSource => ({
  platform,
  uid: 0,
  run: async (command, words) => {
    const call = [command, ...words].join(' ');
    asked.push(call);
    const answer = answers[call];
    if (answer === undefined) throw new Error(`${call}: failed`);
    return answer;
  },
});

const user = (name: string, uid: number, gid: number) => ({
  [`id -u ${name}`]: `${uid}\n`,
  [`id -g ${name}`]: `${gid}\n`,
});

t.test('finds USER and USER:GROUP on Linux and macOS', async (t) => {
  const ann = user('ann', 1001, 1002);
  const getent = { 'getent group -- audio': 'audio:x:29:ann,bob1001\n' };
  const dscl = { 'dscl . -read /Groups/audio PrimaryGroupID': 'PrimaryGroupID: 29\n' };
  for (const [platform, words, answers, uid, gid] of [
    ['linux', 'ann', ann, 1001, 1002],
    ['darwin', 'ann', ann, 1001, 1002],
    ['linux', 'ann:audio', { ...ann, ...getent }, 1001, 29],
    ['darwin', 'ann:audio', { ...ann, ...dscl }, 1001, 29],
  ] as const) {
    t.same(await namedAccount(words, systemOf(platform, answers)), { name: words, uid, gid });
  }
});

t.test('refuses a name without an account, and never reads a name as an option', async (t) => {
  const nobody = user('nobody', 4_294_967_294, 4_294_967_294);
  for (const [words, answers] of [
    ['absent', {}],
    ['ann:absent', user('ann', 1001, 1002)],
    ['-G', user('-G', 1, 1)],
    ['nobody', nobody],
  ] as const) {
    await t.rejects(namedAccount(words, systemOf('darwin', answers)), { code: 'setting_invalid' }, words);
  }
});

t.test('only root needs another account', async (t) => {
  const asked: string[] = [];
  const system = systemOf('linux', {}, asked);
  t.equal(await serverAccount({ ...system, uid: 1000 }), undefined);
  t.equal(await serverAccount({ ...system, uid: undefined }), undefined, 'a system without user ids');
  t.same(asked, []);
});

t.test('root uses the account cochlea (on Linux it creates the account) or another one', async (t) => {
  const asked: string[] = [];
  const own = user('cochlea', 990, 991);
  t.match(await serverAccount(systemOf('linux', own, asked)), { name: 'cochlea', uid: 990, gid: 991 });
  t.notOk(asked.some((call) => call.startsWith('useradd')));

  const system = systemOf('linux', user('nobody', 65534, 65534), asked);
  t.match(await serverAccount(system), { name: 'nobody', uid: 65534 }, 'none can be made');
  t.ok(asked.some((call) => call.startsWith('useradd --system')));
});

t.test('creates no account on macOS and avoids the id that setuid rejects', async (t) => {
  const asked: string[] = [];
  const other = user('nobody', 4_294_967_294, 4_294_967_294);
  await t.rejects(serverAccount(systemOf('darwin', other, asked)), {
    code: 'database_start_failed',
    details: { how: /start as a user other than root/ },
  });
  t.notOk(asked.some((call) => call.startsWith('useradd')));
  const postgres = { ...other, ...user('postgres', 216, 216) };
  t.match(await serverAccount(systemOf('darwin', postgres)), { name: 'postgres', uid: 216 });
});
