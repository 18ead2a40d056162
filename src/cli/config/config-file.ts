import { constants } from 'node:fs';
import { mkdir, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { lock } from 'proper-lockfile';
import { parse, stringify, type TomlTable } from 'smol-toml';
import { CommandFailure } from '../terminal/index.js';
import { type Config, isProfileName } from './config.js';

/** Bytes of a configuration file, at most. */
const largest = 1024 * 1024;
/** Ms without a sign of life after which the lock of a process that was killed may be taken. */
const lockStale = 5000;
/** Tries for the lock, between which 20 to 250 ms pass: together well over the time in which a token is renewed. */
const lockTries = 400;

/** What was read, and why it may not be replaced. */
export interface ReadConfig {
  readonly config: Config;
  /** Why the file cannot be used; then `config` is empty, and writing is refused. */
  readonly problem?: string;
  /** Something that the person has to know of a file that can be used. */
  readonly warning?: string;
}

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]!;

const texts = [
  'api_base',
  'auth_method',
  'api_key',
  'api_key_id',
  'id_token',
  'refresh_token',
  'signed_in_at',
];

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const profileProblem = (name: string, profile: unknown): string | undefined => {
  if (!isProfileName(name)) return `"${name}" is no name of a profile`;
  if (!isTable(profile)) return `profiles.${name} is no table`;
  const wrong = texts.find((key) => profile[key] !== undefined && typeof profile[key] !== 'string');
  if (wrong) return `profiles.${name}.${wrong} is no text`;
  const { auth_method: method, id_token_expires_at: expiry } = profile;
  if (method !== undefined && method !== 'api_key' && method !== 'oauth')
    return `profiles.${name}.auth_method is neither "api_key" nor "oauth"`;
  if (expiry !== undefined && typeof expiry !== 'number')
    return `profiles.${name}.id_token_expires_at is no number`;
  return undefined;
};

/** What is wrong with the types of a file, if anything. */
const problemOf = ({ active_profile: active, profiles }: TomlTable): string | undefined => {
  if (active !== undefined && (typeof active !== 'string' || !isProfileName(active)))
    return 'active_profile is no name of a profile';
  if (profiles === undefined) return undefined;
  if (!isTable(profiles)) return 'profiles is no table';
  for (const [name, profile] of Object.entries(profiles)) {
    const problem = profileProblem(name, profile);
    if (problem) return problem;
  }
  return undefined;
};

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Reads a configuration file. One that does not exist is empty. It has to be a plain file of this user (or of root), whatever links
 * lead to it, so that no other user of the machine decides where a key is sent.
 */
export const readConfig = async (path: string): Promise<ReadConfig> => {
  try {
    // Without waiting, because opening a pipe would wait for its writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const status = await file.stat();
      if (!status.isFile()) return { config: {}, problem: 'it is no plain file' };
      if (status.size > largest) return { config: {}, problem: 'it has more than 1 MiB' };
      const own = process.geteuid?.();
      if (own !== undefined && status.uid !== own && status.uid !== 0)
        return { config: {}, problem: 'it belongs to another user' };
      const bytes = await file.readFile();
      const config = parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
      const problem = problemOf(config);
      if (problem) return { config: {}, problem };
      const open = own !== undefined && (status.mode & 0o077) !== 0;
      return {
        config: config as Config,
        ...(open && {
          warning: `other users may read ${path}; "chmod 600" on it keeps its credentials private`,
        }),
      };
    } finally {
      await file.close();
    }
  } catch (error) {
    return isMissing(error) ? { config: {} } : { config: {}, problem: reasonOf(error) };
  }
};

/** The file to replace: where links lead, when there are any, so that a link to a file elsewhere stays one. */
const targetOf = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return path;
    throw error;
  }
};

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, constants.O_RDONLY);
  await handle.sync().finally(() => handle.close());
};

/** Puts a text in the place of a file, in one step: a process that is killed leaves the old file or the new one. */
const replaceFile = async (path: string, text: string): Promise<void> => {
  const unfinished = `${path}.${process.pid}.part`;
  // What a killed process with the same id has left.
  await unlink(unfinished).catch(() => undefined);
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await rename(unfinished, path);
  } catch (error) {
    await unlink(unfinished).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path)).catch(() => undefined);
};

const notWritten = (path: string, error: unknown): CommandFailure =>
  error instanceof CommandFailure
    ? error
    : new CommandFailure('refused', `${path} cannot be written: ${reasonOf(error)}`, undefined, {
        cause: error,
      });

/**
 * Changes a configuration file while no other process does. The file is read again under the lock, so that no change of another process
 * is lost, and replaced in one step. Comments of the file are not kept.
 * @param change gets the content and changes it in place; what it resolves with is the result.
 * @throws CommandFailure `refused` where the file cannot be read or written; then it is as it was.
 */
export const changeConfig = async <Result>(
  path: string,
  change: (config: Config) => Promise<Result> | Result,
): Promise<Result> => {
  let release: () => Promise<void>;
  let target: string;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    target = await targetOf(path);
    release = await lock(target, {
      realpath: false,
      stale: lockStale,
      retries: { retries: lockTries, minTimeout: 20, maxTimeout: 250, randomize: true },
      // Another process has taken the lock from this one, which was stopped for long. The replaced file is whole all the same.
      onCompromised: () => undefined,
    });
  } catch (error) {
    throw notWritten(path, error);
  }
  try {
    const { config, problem } = await readConfig(target);
    if (problem) throw new CommandFailure('refused', `${path} is not changed: ${problem}`);
    const before = stringify(config as TomlTable);
    const result = await change(config);
    const after = stringify(config as TomlTable);
    if (after !== before || !(await isPrivate(target))) {
      await replaceFile(target, after).catch((error: unknown) => {
        throw notWritten(path, error);
      });
    }
    return result;
  } finally {
    await release().catch(() => undefined);
  }
};

/** Whether a file is there and only its user may read it. */
const isPrivate = async (path: string): Promise<boolean> => {
  const status = await stat(path).catch(() => undefined);
  return status !== undefined && (status.mode & 0o077) === 0;
};
