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
import { action } from '../process/index.js';

interface KeyOptions {
  readonly uid: string;
  readonly family: KeyFamily;
  readonly json?: boolean;
}

const shown = (key: ApiKey): string =>
  `${key.id}  ${key.keyPrefix}  ${key.createdAt.toISOString()}  ${key.name}  ${key.scopes.join(',')}`;

const print = (record: ApiKey, key: string, json = false): void => {
  const text = `${key}\nThis key cannot be shown again. Id ${record.id}, scopes ${record.scopes.join(', ')}.\n`;
  process.stdout.write(json ? `${JSON.stringify({ ...record, key })}\n` : text);
};

const create = async (options: KeyOptions & { name: string; scope?: string[] }): Promise<void> => {
  const settings = loadSettings().values;
  const { uid, name, family } = options;
  const scopes = options.scope?.includes('all') ? [...scopesOf[family]] : options.scope;
  const { record, key } = await withDatabase(settings, (sql) =>
    createApiKey(sql, settings, { uid, name, family, scopes }),
  );
  print(record, key, options.json);
};

const rotate = async (id: string, options: KeyOptions): Promise<void> => {
  const settings = loadSettings().values;
  const { record, key } = await withDatabase(settings, (sql) =>
    rotateApiKey(sql, settings, options.uid, id, options.family),
  );
  print(record, key, options.json);
};

const list = async (options: KeyOptions): Promise<void> => {
  const keys = await withDatabase(loadSettings().values, (sql) =>
    listApiKeys(sql, options.uid, options.family),
  );
  if (options.json) process.stdout.write(`${JSON.stringify(keys)}\n`);
  else for (const key of keys) process.stdout.write(`${shown(key)}\n`);
};

const revoke = async (id: string, options: KeyOptions): Promise<void> => {
  const found = await withDatabase(loadSettings().values, (sql) =>
    revokeApiKey(sql, options.uid, id, options.family),
  );
  if (!found)
    throw new CochleaError('bad_request', { why: `No live ${options.family} key ${id} of this user` });
  process.stdout.write(options.json ? `${JSON.stringify({ id, revoked: true })}\n` : `Revoked ${id}.\n`);
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
          `"all", or of: ${scopesOf.dev.join(', ')} (of MCP keys: ${scopesOf.mcp.join(', ')}); when absent a developer key reads, and an MCP key may do all`,
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
