import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { settings as table } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';

/** A system user that a process runs as. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Dependencies of the account look-up. Only tests replace them. */
export interface AccountSource {
  readonly platform: NodeJS.Platform;
  /** The effective user id of this process; undefined on systems without user ids. */
  readonly uid: number | undefined;
  /** Runs a program and returns its standard output. Rejects if the program is missing or fails. */
  readonly run: (command: string, words: readonly string[]) => Promise<string>;
}

/** The account for the processes that root starts, unless the setting `RUN_AS` names another account. */
export const defaultAccount = 'cochlea';

const execute = promisify(execFile);
const thisSystem = (): AccountSource => ({
  platform: process.platform,
  uid: process.getuid?.(),
  run: async (command, words) => (await execute(command, [...words])).stdout,
});

/** Returns the last whole number of a program's output. @throws Error if the number is no valid user or group id. */
const idIn = (output: string): number => {
  const id = Number(/(\d+)\s*$/.exec(output)?.[1] ?? Number.NaN);
  if (!Number.isInteger(id) || id > 0x7fff_ffff) throw new Error('it has no number that can be used');
  return id;
};

/** Looks up the id of a group. Linux has the program `getent`; macOS stores groups in a directory service. */
const groupId = async (name: string, { platform, run }: AccountSource): Promise<number> => {
  if (platform === 'darwin')
    return idIn(await run('dscl', ['.', '-read', `/Groups/${name}`, 'PrimaryGroupID']));
  return idIn((await run('getent', ['group', '--', name])).split(':').slice(0, 3).join(':'));
};

const lookUp = async (user: string, group: string | undefined, source: AccountSource): Promise<Account> => ({
  name: group === undefined ? user : `${user}:${group}`,
  uid: idIn(await source.run('id', ['-u', user])),
  gid: group === undefined ? idIn(await source.run('id', ['-g', user])) : await groupId(group, source),
});

/**
 * Looks up the account of `USER[:GROUP]` with system programs.
 * @throws CochleaError `setting_invalid` if the account does not exist.
 */
export const namedAccount = async (words: string, source = thisSystem()): Promise<Account> => {
  const [user = '', group] = words.split(':');
  try {
    // The look-up programs would parse a name with a leading hyphen as an option.
    if (user.startsWith('-') || group?.startsWith('-')) throw new Error('a name does not begin with "-"');
    return await lookUp(user, group || undefined, source);
  } catch (thrown) {
    const why = `there is no ${words} on this machine`;
    throw new CochleaError('setting_invalid', { name: table.runAs.env, why }, { cause: thrown });
  }
};

/** Returns the account of a user id. If the system does not list the user, the group id equals the user id. */
export const accountOf = async (uid: number, source = thisSystem()): Promise<Account> => ({
  name: String(uid),
  uid,
  gid: await source.run('id', ['-g', String(uid)]).then(idIn, () => uid),
});

/**
 * Returns the account for the processes that root starts: `cochlea`. On Linux, a missing account is created. If that
 * fails, a common system account is used. Returns undefined if this process is not root, because everything then runs
 * as one user.
 * @throws CochleaError `database_start_failed` if no account is available.
 */
export const serverAccount = async (source = thisSystem()): Promise<Account | undefined> => {
  if (source.uid !== 0) return undefined;
  const found = await lookUp(defaultAccount, undefined, source).catch(() => undefined);
  if (found !== undefined) return found;
  const linux = source.platform === 'linux';
  if (linux) {
    const options = ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', defaultAccount];
    // The failure is ignored, because a concurrent process may have created the account. The look-up below shows
    // whether the account exists.
    await source.run('useradd', options).catch(() => '');
  }
  for (const name of linux ? [defaultAccount, 'postgres', 'nobody'] : ['postgres']) {
    const account = await lookUp(name, undefined, source).catch(() => undefined);
    if (account !== undefined) return account;
  }
  throw new CochleaError('database_start_failed', {
    why: 'there is no account it could run as',
    how: 'Create a system user named cochlea, or start as a user other than root.',
  });
};
