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
import {
  type Account,
  defaultAccount,
  giveFolder,
  namedAccount,
  serverAccount,
} from '../privileges/index.js';

/**
 * Folders below the data folder that engines, sidecar and transcription service write to. They get the account as their
 * owner. The data folder itself keeps its owner.
 */
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

/** Returns the paths that processes must be able to read after they have changed their user. */
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

/**
 * Returns the first of some paths that an account cannot read; undefined if the account can read all of them. A program
 * that runs as that account tests the paths.
 */
export const firstUnreadable = (account: Account, paths: readonly string[]): Promise<string | undefined> =>
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

/**
 * Prepares the data folder for an account. Returns the reason why the account cannot run the product; undefined if the
 * account can run it.
 */
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
 * Chooses the user of engines and sidecar by `RUN_AS`, and prepares the data folder for that user. Returns undefined if
 * engines and sidecar keep their user.
 *
 * The default user may be unable to read the program, for example in a checkout in a private home. If `RUN_AS` is not
 * set, engines and sidecar then stay root, and a warning names the remedy.
 * @throws CochleaError `setting_invalid` if the user of `RUN_AS` does not exist or cannot run the product.
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
  const remedy = 'make it readable for this user, or start as another user; RUN_AS=root accepts this';
  log.warn({ obstacle, remedy }, 'engine and sidecar run as root');
  return undefined;
};

/**
 * Finds the account that `chooseAccount` will choose if root starts the product. Makes neither accounts nor folders.
 * @returns undefined if engine and sidecar keep the user of this process, or if the account does not exist.
 */
export const futureAccount = async (settings: Settings): Promise<Account | undefined> => {
  if (process.getuid?.() !== 0) return undefined;
  const account = await namedAccount(settings.runAs || defaultAccount).catch(() => undefined);
  if (account === undefined || account.uid === 0) return undefined;
  if (settings.runAs !== '') return account;
  // If the default user cannot read the program, engine and sidecar stay root.
  return (await firstUnreadable(account, neededPaths(settings))) === undefined ? account : undefined;
};

/**
 * Checks whether only root can open the listener. This is the case if the port is privileged, or if only root can read
 * the TLS key.
 */
export const needsRootToListen = async (settings: Settings): Promise<boolean> => {
  const path = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
  const bound = Number(await readFile(path, 'utf8').catch(() => '1024'));
  return settings.tlsCert !== '' || (settings.port > 0 && settings.port < bound);
};

/**
 * Permanently changes the user of this process. Sets groups, group and user in that order, for all threads. Call on the main thread.
 * @throws CochleaError `internal` if any root privilege remains; the process must then end.
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
    // The error is expected, because this process must no longer be able to become root.
  }
  if (left || groups || regained) {
    throw new CochleaError('internal', {}, { cause: new Error('privileges could not be dropped') });
  }
  log.info({ user: account.name, uid: account.uid, gid: account.gid }, 'privileges dropped');
};

/**
 * Changes the user of this process to the account that `chooseAccount` returns, if any.
 * @throws CochleaError of `chooseAccount` and `becomeAccount`.
 */
export const leaveRoot = async (settings: Settings, log: Logger): Promise<void> => {
  const account = await chooseAccount(settings, log);
  if (account !== undefined) becomeAccount(account, log);
};
