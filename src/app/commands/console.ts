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

/** Maximum number of users that an error message lists. */
const mostNamed = 10;

/** Returns a uid as a single word of a shell command. */
const shellWord = (uid: string): string =>
  /^[\w.@+][\w.@+-]*$/.test(uid) ? uid : `'${uid.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Returns the uid of the user that the options name. If the options name no user, returns the only user of the
 * deployment.
 */
const userOf = async (sql: Sql, { uid, email }: ConsoleOptions): Promise<string> => {
  if (uid !== undefined) return uid;
  const whose = email === undefined ? '' : ` with the address ${email}`;
  const found = await usersNamed(sql, email ?? null, mostNamed + 1);
  const [newest, ...others] = found;
  if (newest === undefined) {
    const how = 'Make one with "cochlea users create".';
    throw new CochleaError('command_incomplete', { why: `There is no user${whose}`, how });
  }
  if (others.length === 0) return newest.uid;
  const users = found
    .slice(0, mostNamed)
    .map(({ uid, email: own }) => (own === null || own === email ? uid : `${uid} (${own})`));
  if (found.length > mostNamed) users.push('and more');
  throw new CochleaError('command_incomplete', {
    why: `There are several users${whose}: ${users.join(', ')}`,
    how: `Name one, for example with "cochlea console --uid ${shellWord(newest.uid)}".`,
  });
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
