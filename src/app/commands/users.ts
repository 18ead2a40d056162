import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { loadSettings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { createUser, issueIdToken } from '../../identity/index.js';
import { createLogger } from '../../log/index.js';
import { removeAccounts } from '../../pipeline/words/index.js';
import { beginDeletion, isDeletionFinished } from '../../store/accounts/index.js';
import { withDatabase } from '../database/index.js';
import { action, type JsonOption, print } from '../process/index.js';

interface CreateOptions extends JsonOption {
  readonly uid?: string;
  readonly email?: string;
  readonly name?: string;
  readonly language?: string;
}

const create = async (options: CreateOptions): Promise<void> => {
  const settings = loadSettings().values;
  const { uid, token } = await withDatabase(settings, async (sql) => {
    const user = await createUser(sql, options);
    return { uid: user.uid, token: await issueIdToken(sql, settings, user.uid) };
  });
  print(options, { uid, token }, [`uid    ${uid}`, `token  ${token}`]);
};

interface DeleteOptions extends JsonOption {
  readonly yes?: boolean;
}

const remove = async (uid: string, options: DeleteOptions): Promise<void> => {
  if (options.yes !== true)
    throw new CochleaError('bad_request', {
      why: `This deletes ${uid} with everything that belongs to the user, and cannot be taken back. Say --yes`,
    });
  const settings = loadSettings().values;
  await withDatabase(settings, async (sql) => {
    if (!(await beginDeletion(sql, uid)))
      throw new CochleaError('bad_request', { why: `There is no user ${uid}` });
    const log = createLogger('users', 'warn');
    while (!(await isDeletionFinished(sql, uid))) {
      // The service may be removing the same rows; then there is nothing to do here but to wait.
      if ((await removeAccounts(sql, log)) === 0) await pause(100);
    }
  });
  print(options, { uid, deleted: true }, [`${uid} is deleted`]);
};

const createCommand = (): Command =>
  new Command('create')
    .description('create an account and print an ID token for it; an existing uid gets a new token')
    .option('--uid <uid>', 'user id; a random one when absent')
    .option('--email <address>', 'e-mail address')
    .option('--name <name>', 'display name')
    .option('--language <code>', 'language of the user, for example en')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea users create
  $ cochlea users create --uid ada --email ada@example.org --json`,
    )
    .action(action(create));

const deleteCommand = (): Command =>
  new Command('delete')
    .description(
      'delete an account with everything that belongs to it: conversations, other data, keys, sign-ins',
    )
    .argument('<uid>', 'user id')
    .option('--yes', 'do it; without it nothing is deleted')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Engines that run close the streams of the user and remove audio that could not be transcribed; others do when they start. When
the command is interrupted, the service goes on, or the command when it is repeated.

Example:
  $ cochlea users delete ada --yes`,
    )
    .action(action(remove));

export const usersCommand = (): Command =>
  new Command('users')
    .description('accounts of the built-in issuer')
    .addCommand(createCommand())
    .addCommand(deleteCommand());
