/** Every configuration in docs/assistants.md must be valid in its format, and must name an existing address or command. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import t from 'tap';
import { parse as parseYaml } from 'yaml';
import { parseOauthClients } from '../../src/config/lists/oauth-clients.js';
import { loadSettings } from '../../src/config/load-settings.js';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import type { RouteContext } from '../../src/sidecar/frame/context.js';
import { allTools } from '../../src/sidecar/mcp/tools/all-tools.js';
import { allRoutes } from '../../src/sidecar/routes.js';
import { stdioTools } from '../sidecar/mcp/tool-names.js';

const page = readFileSync(join(packageDirectory(), 'docs', 'assistants.md'), 'utf8');
const base = 'https://cochlea.example';
const key = /^Bearer (svc_mcp_\.\.\.|\$\{COCHLEA_API_KEY\}|\$\{input:cochlea-key\})$/;
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  json: JSON.parse,
  toml: parseToml,
  yaml: parseYaml,
};

const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, format, text]) => ({
  format: format!,
  text: text!,
}));

interface Server {
  readonly url?: string;
  readonly httpUrl?: string;
  readonly serverUrl?: string;
  readonly uri?: string;
  readonly headers?: { readonly Authorization?: string };
  readonly bearer_token_env_var?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

t.test('every configuration of an assistant', async (t) => {
  const urls = allRoutes({ settings: loadSettings({}).values } as RouteContext).map(({ url }) => url);
  const { bin } = JSON.parse(readFileSync(join(packageDirectory(), 'package.json'), 'utf8'));
  const found = { url: 0, command: 0, clients: 0 };
  for (const { format, text } of blocks) {
    const value = readers[format]!(text) as Readonly<Record<string, Readonly<Record<string, Server>>>>;
    if (Array.isArray(value)) {
      t.equal(parseOauthClients(text).length, value.length, 'OAUTH_CLIENTS takes these clients');
      found.clients++;
      continue;
    }
    const servers =
      value.mcpServers ?? value.servers ?? value.mcp_servers ?? value.context_servers ?? value.extensions;
    t.same(Object.keys(servers!), ['cochlea'], text);
    const { cochlea } = servers!;
    const address = cochlea!.url ?? cochlea!.httpUrl ?? cochlea!.serverUrl ?? cochlea!.uri;
    if (address === undefined) {
      const [program, ...words] = cochlea!.args!;
      t.equal(program, join('/opt/cochlea', bin.cochlea));
      t.ok(existsSync(join(packageDirectory(), bin.cochlea)));
      t.same(words, ['mcp-stdio']);
      t.same(cochlea!.env, { COCHLEA_API_KEY: 'svc_mcp_...', COCHLEA_API_BASE: base });
      found.command++;
      continue;
    }
    t.ok(address.startsWith(base) && urls.includes(address.slice(base.length)), address);
    if (cochlea!.headers) t.match(cochlea!.headers.Authorization, key, text);
    else t.equal(cochlea!.bearer_token_env_var, 'COCHLEA_API_KEY');
    found.url++;
  }
  t.same(found, { url: 8, command: 1, clients: 1 });
});

t.test('every tool is in the table, in the row of its scope', async (t) => {
  const tools = allTools({ settings: loadSettings({}).values } as RouteContext);
  const table = page.slice(page.indexOf('| scope | tools |')).split('\n\n')[0]!;
  const rows = table.split('\n').slice(2);
  for (const { name, scopes } of tools) {
    const row = rows.find((line) => line.includes(`\`${name}\``));
    if (t.ok(row, name) && scopes.length === 1)
      t.ok(row!.includes(`\`${scopes[0]}\``), `${name}: ${scopes[0]}`);
  }
  const named = new Set([...table.matchAll(/`([a-z]+(?:_[a-z]+)*)`/g)].map(([, name]) => name!));
  for (const name of named)
    t.ok(
      tools.some((tool) => tool.name === name),
      `${name} is a tool`,
    );
  for (const count of [`fewer than ${tools.length} tools`, `of the ${tools.length} tools`])
    t.ok(page.includes(count), count);
  t.equal(stdioTools.length, 8, 'the page says eight');
});
