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
    throw new CochleaError('command_incomplete', {
      why: `This permanently deletes ${uid} with all data of the user`,
      how: 'Confirm with --yes.',
    });
  const settings = loadSettings().values;
  await withDatabase(settings, async (sql) => {
    if (!(await beginDeletion(sql, uid)))
      throw new CochleaError('bad_request', { why: `There is no user ${uid}` });
    const log = createLogger('users', 'warn');
    while (!(await isDeletionFinished(sql, uid))) {
      // A running service may be deleting the same rows. The command then waits for that service.
      if ((await removeAccounts(sql, log)) === 0) await pause(100);
    }
  });
  print(options, { uid, deleted: true }, [`${uid} is deleted`]);
};

const createCommand = (): Command =>
  new Command('create')
    .description('create an account and print an ID token for it; an existing uid gets a new token')
    .option('--uid <uid>', 'user id; default: a random id')
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
    .description('delete an account with all its data: conversations, other records, keys, sign-ins')
    .argument('<uid>', 'user id')
    .option('--yes', 'confirm the deletion; required')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Running engines close the streams of the user and remove retained audio; stopped engines do so when they start. If
the command is interrupted, the running service or a repeated command continues.

Example:
  $ cochlea users delete ada --yes`,
    )
    .action(action(remove));

export const usersCommand = (): Command =>
  new Command('users')
    .description('accounts of the built-in issuer')
    .addCommand(createCommand())
    .addCommand(deleteCommand());
