/** docs/auth.md must list exactly the existing presets with their redirects. docs/assistants.md must show two of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseOauthClients } from '../../src/config/lists/oauth-clients.js';
import { oauthPresets } from '../../src/config/lists/oauth-presets.js';
import { packageDirectory } from '../../src/config/process/data-dir.js';

t.test('the table of presets', async (t) => {
  const page = readFileSync(join(packageDirectory(), 'docs', 'auth.md'), 'utf8');
  const table = page.slice(page.indexOf('### Presets'), page.indexOf('### Assistants with'));
  const rows = [...table.matchAll(/^\| `([\w-]+)` \| (.+?) \| .+ \|$/gm)].map(([, name, redirects]) => [
    name!,
    [...redirects!.matchAll(/`([^`]+)`/g)].map(([, address]) => address!),
  ]);
  t.same(
    Object.fromEntries(rows),
    Object.fromEntries(
      Object.entries(oauthPresets).map(([name, { redirect_uris, redirect_prefixes }]) => [
        name,
        [...redirect_uris, ...redirect_prefixes],
      ]),
    ),
  );
});

t.test('the clients that stand for two of them', async (t) => {
  const page = readFileSync(join(packageDirectory(), 'docs', 'assistants.md'), 'utf8');
  const [, text] = /OAUTH_PRESETS=claude,chatgpt.*?```json\n(.*?)^```$/ms.exec(page)!;
  const { claude, chatgpt } = oauthPresets;
  t.same(parseOauthClients(text!), [
    { id: 'claude', ...claude },
    { id: 'chatgpt', ...chatgpt },
  ]);
});
