import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  access,
  chmod,
  chown,
  mkdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { blockedAt, startError, usableBinaries } from '../../../src/app/postgres/binaries.js';
import { startEmbeddedPostgres } from '../../../src/app/postgres/embedded-postgres.js';
import { serverAccount } from '../../../src/app/privileges/accounts.js';
import { giveTo } from '../../../src/app/privileges/give-folder.js';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import { createLogger } from '../../../src/log/logger.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { openFolder } from '../../support/folder.js';
import { until } from '../../support/until.js';

const log = createLogger('test', 'silent');
const start = (dataDir: string) => startEmbeddedPostgres({ dataDir, log, durable: false });
const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const reachable = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

t.test('an embedded server', async (t) => {
  const dataDir = openFolder(t);

  await t.test('is private and keeps its data, port and password', async (t) => {
    const first = await start(dataDir);
    const { port, password } = new URL(first.url);
    const sql = connectDatabase(first.url, { max: 1 });
    await sql`create table kept as select 'Ä' as letter`;
    const [settings] = await sql`select current_setting('listen_addresses') as listen,
      current_setting('unix_socket_directories') as sockets, current_setting('server_encoding') as encoding`;
    t.strictSame({ ...settings }, { listen: '127.0.0.1', sockets: '', encoding: 'UTF8' });
    await sql.end();
    const outside = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal);
    if (outside.length === 0)
      t.pass('not from outside', { skip: 'this machine has no IPv4 address beside 127.0.0.1' });
    for (const { address } of outside) t.notOk(await reachable(address, Number(port)), 'not from outside');
    t.equal((await stat(join(dataDir, 'postgres', 'password'))).mode & 0o777, 0o600);
    t.equal((await stat(join(dataDir, 'postgres', 'data'))).mode & 0o777, 0o700);
    await first.stop();
    await first.exited;
    t.notOk(lives(first.pid));

    const second = await start(dataDir);
    t.equal(second.url, first.url);
    const again = connectDatabase(second.url, { max: 1 });
    t.strictSame(
      [...(await again`select letter, upper('é') as upper from kept`)],
      [{ letter: 'Ä', upper: 'É' }],
    );
    await again.end();
    const wrong = connectDatabase(second.url.replace(password, 'wrong'), { max: 1 });
    await t.rejects(wrong`select 1`, { code: '28P01' });
    await wrong.end();
    await second.stop();
  });

  await t.test('ends when its owner is killed, refuses a second owner, and starts again', async (t) => {
    const script = fileURLToPath(new URL('./database-owner.js', import.meta.url));
    const owner = fork(script, [dataDir], { execArgv: [] });
    const [{ pid, url }] = (await once(owner, 'message')) as [{ pid: number; url: string }];
    await t.rejects(start(dataDir), {
      code: 'database_start_failed',
      message: new RegExp(String(owner.pid)),
    });
    const sql = connectDatabase(url, { max: 1 });
    t.equal((await sql`select 1 as answer`)[0]?.answer, 1, 'the refused start left the server alone');
    await sql.end();
    owner.kill('SIGKILL');
    t.ok(await until(() => !lives(pid)), 'it did not outlive its owner');
    const next = await start(dataDir);
    t.equal(next.url, url);
    await next.stop();
  });

  await t.test('uses another port when its own is taken', async (t) => {
    const first = await start(dataDir);
    const { port } = new URL(first.url);
    await first.stop();
    const { createServer } = await import('node:net');
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(Number(port), '127.0.0.1', resolve));
    const second = await start(dataDir);
    t.not(new URL(second.url).port, port);
    await second.stop();
    await t.rejects(startEmbeddedPostgres({ dataDir, log, durable: false, port: Number(port) }), {
      code: 'database_start_failed',
    });
    squatter.close();
  });

  await t.test('refuses files of another major version', async (t) => {
    await writeFile(join(dataDir, 'postgres', 'data', 'PG_VERSION'), '11\n');
    await t.rejects(start(dataDir), { code: 'database_start_failed', message: /PostgreSQL 11/ });
  });
});

t.test('reports failures in one line with the remedy', async (t) => {
  const full = Object.assign(new Error('Command failed'), {
    stderr: 'initdb: error: No space left on device\n',
  });
  const cases: readonly [unknown, string][] = [
    [full, 'disk_full'],
    [Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }), 'disk_full'],
    [new Error('EACCES'), 'database_start_failed'],
    [new CochleaError('port_taken', { port: 1, host: 'h', setting: 's' }), 'port_taken'],
  ];
  for (const [thrown, code] of cases) {
    const error = startError(thrown, '/data/postgres');
    t.equal(error.code, code);
    t.notMatch(error.line, /[\n{}]/);
  }
});

const otherAccount = await serverAccount();
const onlyRoot = otherAccount === undefined && 'only root starts the server under another account';

t.test(
  'copies binaries from a closed home folder to a folder that the server can read',
  { skip: onlyRoot },
  async (t) => {
    const account = otherAccount!;
    const place = openFolder(t);
    const native = join(place, 'closed', 'native');
    for (const folder of ['bin', 'lib']) await mkdir(join(native, folder), { recursive: true });
    await writeFile(join(native, 'bin', 'postgres'), '');
    await writeFile(join(native, 'lib', 'libpq.so.5.18'), 'library');
    await writeFile(
      join(native, 'pg-symlinks.json'),
      JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]),
    );
    await mkdir(join(place, 'open'), { recursive: true });
    await chmod(join(place, 'closed'), 0o700);
    t.equal(await blockedAt(native, account), join(place, 'closed'));
    const source = { native, version: '1.2.3' };
    const copy = await usableBinaries(source, join(place, 'open'), account);
    t.equal(copy, join(place, 'open', 'binaries-1.2.3'));
    t.equal(await readlink(join(copy, 'lib', 'libpq.so.5')), 'libpq.so.5.18');
    t.equal(await readFile(join(copy, 'lib', 'libpq.so.5'), 'utf8'), 'library');
    t.equal((await stat(join(copy, 'bin'))).uid, 0, 'and stay root’s');
    t.equal((await stat(join(copy, 'bin', 'postgres'))).mode & 0o005, 0o005);
    await giveTo(copy, account);
    await writeFile(join(copy, 'bin', 'postgres'), 'changed');
    t.equal(await usableBinaries(source, join(place, 'open'), account), copy);
    t.equal(
      await readFile(join(copy, 'bin', 'postgres'), 'utf8'),
      '',
      'a copy of the account’s is made anew',
    );
    await chmod(join(place, 'closed'), 0o755);
    t.equal(
      await usableBinaries(source, join(place, 'open'), account),
      native,
      'an open one is used where it is',
    );
    await access(join(native, 'lib', 'libpq.so.5'));
  },
);

t.test("root follows no link of the server's account", { skip: onlyRoot }, async (t) => {
  const { uid, gid } = otherAccount!;
  const dataDir = openFolder(t);
  const folder = join(dataDir, 'postgres');
  const first = await start(dataDir);
  await first.stop();
  t.equal((await stat(folder)).uid, 0);
  t.equal((await stat(join(folder, 'data'))).uid, uid);
  const touched = spawnSync('touch', [join(folder, 'planted')], { uid, gid });
  t.not(touched.status, 0, 'the account makes nothing in the folder');

  // An older release made the database's account the owner of the folder. The test recreates that state.
  const victim = join(dataDir, 'victim');
  await writeFile(victim, 'untouched', { mode: 0o600 });
  await chown(folder, uid, gid);
  for (const name of ['port', 'owner', 'server.log']) {
    await rm(join(folder, name));
    await symlink(victim, join(folder, name));
  }
  const second = await start(dataDir);
  await second.stop();
  t.equal(await readFile(victim, 'utf8'), 'untouched');
  t.equal((await stat(victim)).uid, 0);
  t.equal((await stat(folder)).uid, 0, 'the folder is root’s again');

  await rm(join(folder, 'data', 'PG_VERSION'));
  await rm(join(folder, 'password'));
  await symlink(victim, join(folder, 'password'));
  await t.rejects(start(dataDir), { code: 'database_start_failed', message: /not a plain file/ });
  t.equal(await readFile(victim, 'utf8'), 'untouched');
  t.equal((await stat(victim)).uid, 0, 'and does not belong to the account');
});
