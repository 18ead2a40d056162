import { Command, InvalidArgumentError } from 'commander';
import type { BusUser } from '../../bus/subjects/index.js';
import { busNameRule, isBusName } from '../../config/lists/index.js';
import { action, type JsonOption, print } from '../process/index.js';

interface AccountsOptions extends JsonOption {
  readonly engine: readonly string[];
  readonly sidecar: readonly string[];
  readonly keys: string;
}

const nameArgument = (name: string, earlier: readonly string[]): readonly string[] => {
  if (!isBusName(name)) throw new InvalidArgumentError(`${busNameRule}.`);
  return [...earlier, name];
};

/** Creates missing credentials, and prints the accounts for the configuration of the NATS servers. */
const accounts = async (options: AccountsOptions): Promise<void> => {
  // NATS code is imported only here, so that other commands start without it.
  const [{ serverAccounts }, { openSeed }] = await Promise.all([
    import('../../bus/subjects/index.js'),
    import('../bus/index.js'),
  ]);
  const users: BusUser[] = [];
  for (const role of ['engine', 'sidecar'] as const) {
    for (const name of options[role]) {
      users.push({ role, name, publicKey: await openSeed(options.keys, role, name) });
    }
  }
  print(options, users, serverAccounts(users));
};

export const busCommand = (): Command =>
  new Command('bus')
    .description('credentials for the NATS servers of a fleet')
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bus accounts --engine a --engine b --sidecar a --keys /etc/cochlea/bus > accounts.conf`,
    )
    .addCommand(
      new Command('accounts')
        .description(
          'make credentials that are missing, and print the accounts for the configuration of every server',
        )
        .option('--engine <name>', 'NATS_NAME of a machine with an engine; may be repeated', nameArgument, [])
        .option(
          '--sidecar <name>',
          'NATS_NAME of a machine with a sidecar; may be repeated',
          nameArgument,
          [],
        )
        .requiredOption(
          '--keys <folder>',
          'folder of the credentials, one secret file for each role and name',
        )
        .option('--json', 'print JSON: role, name and public key')
        .action(action(accounts)),
    );
