import { Command } from 'commander';
import { loadSettings } from '../../config/index.js';
import { createUser, issueIdToken } from '../../identity/index.js';
import { action } from '../action.js';
import { withDatabase } from '../operator-database.js';

interface CreateOptions {
  readonly uid?: string;
  readonly email?: string;
  readonly name?: string;
  readonly language?: string;
  readonly json?: boolean;
}

const create = async (options: CreateOptions): Promise<void> => {
  const settings = loadSettings().values;
  const { uid, token } = await withDatabase(settings, async (sql) => {
    const user = await createUser(sql, options);
    return { uid: user.uid, token: await issueIdToken(sql, settings, user.uid) };
  });
  process.stdout.write(
    options.json ? `${JSON.stringify({ uid, token })}\n` : `uid    ${uid}\ntoken  ${token}\n`,
  );
};

export const usersCommand = (): Command =>
  new Command('users').description('accounts of the built-in issuer').addCommand(
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
      .action(action(create)),
  );
