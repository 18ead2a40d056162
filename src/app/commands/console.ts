import { Command } from 'commander';
import { loadSettings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { createConsoleLink } from '../../identity/index.js';
import { usersNamed } from '../../store/accounts/index.js';
import type { Sql } from '../../store/client/index.js';
import { consoleAddress, consoleInvitation, engineAddresses, openInBrowser } from '../addresses/index.js';
import { withDatabase } from '../database/index.js';
import { action, type JsonOption, print } from '../process/index.js';

interface ConsoleOptions extends JsonOption {
  readonly uid?: string;
  readonly email?: string;
  readonly open?: boolean;
}

/** Returns the uid of the user that the options name. Without options, it is the only user of the deployment. */
const userOf = async (sql: Sql, { uid, email }: ConsoleOptions): Promise<string> => {
  if (uid !== undefined) return uid;
  const [found, ...others] = await usersNamed(sql, email ?? null, 2);
  if (found === undefined) {
    const why = email === undefined ? 'There is no user' : `There is no user with the address ${email}`;
    throw new CochleaError('bad_request', { why: `${why}. Make one with "cochlea users create"` });
  }
  if (others.length > 0) {
    throw new CochleaError('bad_request', { why: 'There are several users. Name one with --email or --uid' });
  }
  return found;
};

const makeLink = async (options: ConsoleOptions): Promise<void> => {
  const settings = loadSettings().values;
  const { uid, secret, seconds } = await withDatabase(settings, async (sql) => {
    const uid = await userOf(sql, options);
    return { uid, ...(await createConsoleLink(sql, uid)) };
  });
  const address = consoleAddress(engineAddresses(settings, settings.port).base, secret);
  print(options, { uid, address, expires_in: seconds }, [consoleInvitation(address, seconds)]);
  if (options.open) await openInBrowser(address);
};

export const consoleCommand = (): Command =>
  new Command('console')
    .description('print a link that opens the console for a user once, within ten minutes')
    .option('--email <address>', 'e-mail address of the user')
    .option('--uid <uid>', 'user id; without --uid and --email: the only user')
    .option('--open', 'also open the link in a browser of this machine')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
The first person who opens the link is signed in as the user, so give it only to that user.

Examples:
  $ cochlea console --open
  $ cochlea console --email ada@example.org`,
    )
    .action(action(makeLink));
