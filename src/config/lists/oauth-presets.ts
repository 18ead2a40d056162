import type { OauthClient } from './oauth-clients.js';

/**
 * Returns addresses with `127.0.0.1` and with `localhost`, because vendors of assistants have switched between the two.
 */
const onLoopback = (path: string): string[] => [`http://127.0.0.1${path}`, `http://localhost${path}`];

const preset = (
  name: string,
  redirect_uris: readonly string[],
  redirect_prefixes: readonly string[] = [],
): Omit<OauthClient, 'id'> => ({
  name,
  redirect_uris: [...redirect_uris],
  redirect_prefixes: [...redirect_prefixes],
});

/**
 * OAuth clients of common assistants, by the client id that the user enters in the assistant. All are public clients,
 * without a secret. A redirect address on the user's machine matches with any port. docs/auth.md lists the source of
 * each address.
 */
export const oauthPresets = {
  chatgpt: preset(
    'ChatGPT',
    ['https://chatgpt.com/connector_platform_oauth_redirect'],
    ['https://chatgpt.com/connector/oauth/'],
  ),
  claude: preset('Claude', [
    'https://claude.ai/api/mcp/auth_callback',
    'https://claude.com/api/mcp/auth_callback',
  ]),
  'claude-code': preset('Claude Code', onLoopback('/callback')),
  codex: preset('Codex', onLoopback('/callback'), onLoopback('/callback/')),
  cursor: preset('Cursor', [
    'cursor://anysphere.cursor-mcp/oauth/callback',
    ...onLoopback('/callback'),
    'https://www.cursor.com/agents/mcp/oauth/callback',
  ]),
  'gemini-cli': preset('Gemini CLI', onLoopback('/oauth/callback')),
  goose: preset('Goose', onLoopback('/oauth_callback')),
  'mcp-inspector': preset('MCP Inspector', [
    ...onLoopback('/oauth/callback'),
    ...onLoopback('/oauth/callback/debug'),
  ]),
  'mcp-remote': preset('mcp-remote', onLoopback('/oauth/callback')),
  opencode: preset('OpenCode', onLoopback('/mcp/oauth/callback')),
  vscode: preset('Visual Studio Code', [
    'https://vscode.dev/redirect',
    'https://insiders.vscode.dev/redirect',
    ...onLoopback('/'),
  ]),
  zed: preset('Zed', onLoopback('/callback')),
} as const satisfies Readonly<Record<string, Omit<OauthClient, 'id'>>>;

export type OauthPreset = keyof typeof oauthPresets;

export const oauthPresetNames = Object.keys(oauthPresets) as OauthPreset[];
