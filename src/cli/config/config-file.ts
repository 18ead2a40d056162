import { constants } from 'node:fs';
import { mkdir, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { lock } from 'proper-lockfile';
import { parse, stringify, type TomlTable } from 'smol-toml';
import { CommandFailure, refused } from '../terminal/index.js';
import { type Config, isProfileName } from './config.js';

/** Maximum number of bytes in a configuration file. */
const largest = 1024 * 1024;
/**
 * Ms without an update after which a lock counts as left by a killed process. Another process may then take the lock.
 */
const lockStale = 5000;
/**
 * Maximum number of attempts to take the lock, with pauses of 20 to 250 ms. All attempts together last much longer than
 * the renewal of a token, during which another process may hold the lock.
 */
const lockTries = 400;

/** The configuration that was read, and the problem with the file, if any. */
export interface ReadConfig {
  readonly config: Config;
  /** Reason why the file is unusable. `config` is then empty, and the file cannot be written. */
  readonly problem?: string;
  /** A problem with a usable file, for a message to the user. */
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
  if (!isProfileName(name)) return `"${name}" is not a valid profile name`;
  if (!isTable(profile)) return `profiles.${name} is not a table`;
  const wrong = texts.find((key) => profile[key] !== undefined && typeof profile[key] !== 'string');
  if (wrong) return `profiles.${name}.${wrong} is not a text`;
  const { auth_method: method, id_token_expires_at: expiry } = profile;
  if (method !== undefined && method !== 'api_key' && method !== 'oauth')
    return `profiles.${name}.auth_method is neither "api_key" nor "oauth"`;
  if (expiry !== undefined && typeof expiry !== 'number')
    return `profiles.${name}.id_token_expires_at is not a number`;
  return undefined;
};

/** Describes the first value in a file that has a wrong type or format, for a message; undefined if all are correct. */
const problemOf = ({ active_profile: active, profiles }: TomlTable): string | undefined => {
  if (active !== undefined && (typeof active !== 'string' || !isProfileName(active)))
    return 'active_profile is not a valid profile name';
  if (profiles === undefined) return undefined;
  if (!isTable(profiles)) return 'profiles is not a table';
  for (const [name, profile] of Object.entries(profiles)) {
    const problem = profileProblem(name, profile);
    if (problem) return problem;
  }
  return undefined;
};

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Reads a configuration file. A missing file counts as empty. Links are followed, but the target must be a regular file
 * of this user or root. Otherwise another user could decide where a key is sent.
 */
export const readConfig = async (path: string): Promise<ReadConfig> => {
  try {
    // O_NONBLOCK prevents a wait: without it, opening a named pipe waits for a writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const status = await file.stat();
      if (!status.isFile()) return { config: {}, problem: 'it is not a regular file' };
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
          warning: `other users may read ${path}; run "chmod 600" on it to protect its credentials`,
        }),
      };
    } finally {
      await file.close();
    }
  } catch (error) {
    return isMissing(error) ? { config: {} } : { config: {}, problem: reasonOf(error) };
  }
};

/**
 * Returns the path of the file to replace. If the given path is a link, returns the link's target, so that the link
 * itself is not replaced.
 */
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

/** Replaces a file atomically. If the process is killed meanwhile, either the old or the new file is complete. */
const replaceFile = async (path: string, text: string): Promise<void> => {
  const unfinished = `${path}.${process.pid}.part`;
  // A killed process with the same process id may have left this file.
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
 * Changes a configuration file under a lock. The file is read again under the lock and replaced atomically, so no
 * change of another process is lost. Comments in the file are lost.
 * @param change changes the content in place and resolves with the result.
 * @throws CommandFailure `refused` if the file cannot be read or written; the file is then unchanged.
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
      // This function is called if this process was suspended and another process took the lock meanwhile. This is not
      // an error, because the file is always replaced as a whole.
      onCompromised: () => undefined,
    });
  } catch (error) {
    throw notWritten(path, error);
  }
  try {
    const { config, problem } = await readConfig(target);
    if (problem) throw refused(`${path} is not changed: ${problem}`);
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

/** Checks whether a file exists and only its owner may read it. */
const isPrivate = async (path: string): Promise<boolean> => {
  const status = await stat(path).catch(() => undefined);
  return status !== undefined && (status.mode & 0o077) === 0;
};
