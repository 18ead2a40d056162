import { Command, Option } from 'commander';
import { loadSettings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import {
  type ApiKey,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  scopesOf,
} from '../../identity/index.js';
import type { KeyFamily } from '../../store/accounts/index.js';
import { withDatabase } from '../database/index.js';
import { action, type JsonOption, print } from '../process/index.js';

interface KeyOptions extends JsonOption {
  readonly uid: string;
  readonly family: KeyFamily;
}

const shown = (key: ApiKey): string =>
  `${key.id}  ${key.keyPrefix}  ${key.createdAt.toISOString()}  ${key.name}  ${key.scopes.join(',')}`;

const printNew = (options: KeyOptions, record: ApiKey, key: string): void => {
  const note = `This key cannot be shown again. Id ${record.id}, scopes ${record.scopes.join(', ')}.`;
  print(options, { ...record, key }, [key, note]);
};

const create = async (options: KeyOptions & { name: string; scope?: string[] }): Promise<void> => {
  const settings = loadSettings().values;
  const { uid, name, family } = options;
  const scopes = options.scope?.includes('all') ? [...scopesOf[family]] : options.scope;
  const { record, key } = await withDatabase(settings, (sql) =>
    createApiKey(sql, settings, { uid, name, family, scopes }),
  );
  printNew(options, record, key);
};

const rotate = async (id: string, options: KeyOptions): Promise<void> => {
  const settings = loadSettings().values;
  const { record, key } = await withDatabase(settings, (sql) =>
    rotateApiKey(sql, settings, options.uid, id, options.family),
  );
  printNew(options, record, key);
};

const list = async (options: KeyOptions): Promise<void> => {
  const keys = await withDatabase(loadSettings().values, (sql) =>
    listApiKeys(sql, options.uid, options.family),
  );
  print(options, keys, keys.map(shown));
};

const revoke = async (id: string, options: KeyOptions): Promise<void> => {
  const found = await withDatabase(loadSettings().values, (sql) =>
    revokeApiKey(sql, options.uid, id, options.family),
  );
  if (!found)
    throw new CochleaError('bad_request', { why: `No live ${options.family} key ${id} of this user` });
  print(options, { id, revoked: true }, [`Revoked ${id}.`]);
};

const keyCommand = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .requiredOption('--uid <uid>', 'whose keys')
    .addOption(new Option('--family <family>', 'kind of key').choices(['dev', 'mcp']).default('dev'))
    .option('--json', 'print JSON');

export const keysCommand = (): Command =>
  new Command('keys')
    .description('developer keys, and MCP keys of assistants')
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea keys create --uid ada --name laptop
  $ cochlea keys create --uid ada --name writer --scope conversations:read conversations:write
  $ cochlea keys list --uid ada
  $ cochlea keys revoke 5b0c... --uid ada`,
    )
    .addCommand(
      keyCommand('create', 'create a key and print it, once')
        .requiredOption('--name <name>', 'what it is for')
        .option(
          '--scope <scopes...>',
          `"all", or of: ${scopesOf.dev.join(', ')} (of MCP keys: ${scopesOf.mcp.join(', ')}); default: a developer key reads, an MCP key may do everything`,
        )
        .action(action(create)),
    )
    .addCommand(keyCommand('list', 'list live keys, newest first').action(action(list)))
    .addCommand(
      keyCommand('rotate', 'give a key a new secret and print it, once')
        .argument('<id>', 'id of the key')
        .action(action(rotate)),
    )
    .addCommand(
      keyCommand('revoke', 'revoke a key at once').argument('<id>', 'id of the key').action(action(revoke)),
    );
