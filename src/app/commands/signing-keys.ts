import { Command } from 'commander';
import { loadSettings } from '../../config/index.js';
import { rotateSigningKey } from '../../identity/index.js';
import { type SigningKeyState, signingKeyStates } from '../../store/accounts/index.js';
import { withDatabase } from '../database/index.js';
import { action, type JsonOption, print } from '../process/index.js';

interface RotateOptions extends JsonOption {
  readonly now?: boolean;
}

const stateOf = ({ retired_at: retired }: SigningKeyState): string => {
  if (retired === null) return 'signs';
  return `${retired > new Date() ? 'accepted until' : 'refused since'} ${retired.toISOString()}`;
};

const list = async (options: JsonOption): Promise<void> => {
  const keys = await withDatabase(loadSettings().values, (sql) => signingKeyStates(sql));
  const lines = keys.map((key) => `${key.kid}  ${key.algorithm}  ${stateOf(key)}`);
  print(options, keys, lines);
};

const rotate = async ({ now, json }: RotateOptions): Promise<void> => {
  const settings = loadSettings().values;
  const acceptedFor = now ? 0 : settings.idTokenLifetime;
  const kid = await withDatabase(settings, (sql) => rotateSigningKey(sql, settings, acceptedFor));
  const earlier = now ? 'are refused now' : `stay valid for ${acceptedFor} s`;
  print({ json }, { kid, acceptedFor }, [`${kid} signs; tokens of earlier keys ${earlier}.`]);
};

export const signingKeysCommand = (): Command =>
  new Command('signing-keys')
    .description('keys with which the built-in issuer signs ID tokens')
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea signing-keys list
  $ cochlea signing-keys rotate
  $ cochlea signing-keys rotate --now   # after a key was disclosed: every ID token made until now is refused`,
    )
    .addCommand(
      new Command('list')
        .description('list keys, newest first')
        .option('--json', 'print JSON')
        .action(action(list)),
    )
    .addCommand(
      new Command('rotate')
        .description('sign with a new key; tokens of the earlier ones stay valid until they end')
        .option('--now', 'refuse tokens of the earlier keys at once')
        .option('--json', 'print JSON')
        .action(action(rotate)),
    );
