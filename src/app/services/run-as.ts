import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Settings, settings as table } from '../../config/index.js';
import { dataDirectory, packageDirectory } from '../../config/process/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import { ensureReachable } from '../postgres/index.js';
import { type Account, giveFolder, namedAccount, serverAccount } from '../privileges/index.js';

/** Folders below the data folder to which engines, the sidecar and the transcription service write. The data folder itself keeps its owner. */
const writable = [
  'spill',
  'audio',
  'recordings',
  'photos',
  'voice',
  'models',
  'mail',
  'transcriber',
] as const;

const refuse = (why: string, cause?: unknown): CochleaError =>
  new CochleaError('setting_invalid', { name: table.runAs.env, why }, { cause });

/** Paths that the processes read after they have become another user. */
const neededPaths = (settings: Settings): string[] => {
  const root = packageDirectory();
  const packages = ['postgres', 'piscina', 'lmdb', 'onnxruntime-node'];
  const require = createRequire(join(root, 'package.json'));
  const found = packages.flatMap((name) => {
    try {
      return [require.resolve(`${name}/package.json`)];
    } catch {
      return [];
    }
  });
  return [
    process.execPath,
    join(root, 'package.json'),
    join(root, 'dist/src/app/cochlea.js'),
    join(root, 'dist/src/engine/shard/shard-worker.js'),
    join(root, 'dist/src/stt/whisper/decoder-process.js'),
    join(root, 'build/Release/cochlea.node'),
    ...found,
    ...(settings.modelsDir === '' ? [] : [settings.modelsDir]),
  ].filter((path) => existsSync(path));
};

/** The first of the paths that an account cannot read. Tried by a program that runs as that account. */
const firstUnreadable = (account: Account, paths: readonly string[]): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const script = 'for path; do [ -r "$path" ] || { printf %s "$path"; exit 0; }; done';
    const child = spawn('/bin/sh', ['-c', script, 'sh', ...paths], {
      uid: account.uid,
      gid: account.gid,
      cwd: '/',
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.once('error', reject);
    child.once('close', () => resolve(said === '' ? undefined : said));
  });

/** Prepares the data folder for an account. Returns what prevents the account from running the product; undefined if nothing. */
const obstacleFor = async (account: Account, settings: Settings): Promise<string | undefined> => {
  try {
    const unreadable = await firstUnreadable(account, neededPaths(settings));
    if (unreadable !== undefined) return `user ${account.name} cannot read ${unreadable}`;
    const dataDir = dataDirectory(settings);
    await mkdir(dataDir, { recursive: true });
    for (const folder of writable) {
      await mkdir(join(dataDir, folder), { recursive: true, mode: 0o700 });
      await ensureReachable(join(dataDir, folder), account);
      await giveFolder(join(dataDir, folder), account);
    }
    return undefined;
  } catch (thrown) {
    return reasonOf(thrown);
  }
};

/**
 * The user that engines and the sidecar become, by `RUN_AS`; undefined when they keep their user. Prepares the data folder for
 * that user. When `RUN_AS` is not set and the default user cannot read the program (a checkout in a private home), they stay
 * root, and a warning tells what to change.
 * @throws CochleaError `setting_invalid` when the user of `RUN_AS` does not exist or cannot run the product.
 */
export const chooseAccount = async (settings: Settings, log: Logger): Promise<Account | undefined> => {
  const { runAs } = settings;
  const isRoot = process.getuid?.() === 0;
  if (runAs !== '') {
    const account = await namedAccount(runAs);
    if (account.uid === process.getuid?.()) return undefined;
    if (!isRoot) throw refuse(`only root can become ${runAs}`);
    const obstacle = await obstacleFor(account, settings);
    if (obstacle !== undefined) throw refuse(obstacle);
    return account;
  }
  if (!isRoot) return undefined;
  let obstacle: string | undefined;
  try {
    const account = await serverAccount();
    if (account === undefined) return undefined;
    obstacle = await obstacleFor(account, settings);
    if (obstacle === undefined) return account;
  } catch (thrown) {
    obstacle = reasonOf(thrown);
  }
  const remedy = 'open the way to it, or start as another user; RUN_AS=root accepts this';
  log.warn({ obstacle, remedy }, 'engine and sidecar run as root');
  return undefined;
};

/** Whether only root can open the listener: for a port below the system's bound, or a key that only root can read. */
export const needsRootToListen = async (settings: Settings): Promise<boolean> => {
  const path = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
  const bound = Number(await readFile(path, 'utf8').catch(() => '1024'));
  return settings.tlsCert !== '' || (settings.port > 0 && settings.port < bound);
};

/**
 * Makes this process run as another user permanently. Sets groups, group and user in that order, for all threads. Must be
 * called on the main thread.
 * @throws CochleaError `internal` when any privilege of root remains; the process must end then.
 */
export const becomeAccount = (account: Account, log: Logger): void => {
  process.setgroups!([account.gid]);
  process.setgid!(account.gid);
  process.setuid!(account.uid);
  const ids = [process.getuid!(), process.geteuid!(), process.getgid!(), process.getegid!()];
  const left = ids.join() !== [account.uid, account.uid, account.gid, account.gid].join();
  const groups = process.getgroups!().some((group) => group !== account.gid);
  let regained = false;
  try {
    process.setuid!(0);
    regained = true;
  } catch {
    // The attempt to become root again must fail.
  }
  if (left || groups || regained) {
    throw new CochleaError('internal', {}, { cause: new Error('privileges could not be given up') });
  }
  log.info({ user: account.name, uid: account.uid, gid: account.gid }, 'privileges given up');
};

/** Becomes the account that `chooseAccount` chooses, where there is one. @throws CochleaError as both do. */
export const leaveRoot = async (settings: Settings, log: Logger): Promise<void> => {
  const account = await chooseAccount(settings, log);
  if (account !== undefined) becomeAccount(account, log);
};
