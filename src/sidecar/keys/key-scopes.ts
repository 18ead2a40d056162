import { z } from 'zod';
import { defaultScopesOf, scopesOf } from '../../identity/index.js';
import { developerScopeSentences, scopeSentences } from '../../issuer/index.js';
import type { KeyFamily } from '../../store/accounts/index.js';
import { sessionReads } from '../access/index.js';
import { route } from '../frame/index.js';

const scopeAnswer = z
  .object({
    scope: z.string(),
    sentence: z.string().meta({ description: 'What a key with this scope may do.' }),
    usual: z.boolean().meta({ description: 'Whether a key has the scope if its request names none.' }),
  })
  .meta({ id: 'KeyScope' });

const explained = (family: KeyFamily, sentences: Readonly<Record<string, string>>) =>
  scopesOf[family].map((scope) => ({
    scope,
    sentence: sentences[scope]!,
    usual: defaultScopesOf(family).includes(scope),
  }));

const scopes = {
  developer: explained('dev', developerScopeSentences),
  mcp: explained('mcp', scopeSentences),
};

/** The route of the console that explains the scopes of keys. */
export const keyScopeRoute = route({
  method: 'GET',
  url: '/console/api/keys/scopes',
  operationId: 'consoleListKeyScopes',
  tag: 'API Keys',
  summary: 'The scopes of developer keys and of MCP keys, with what each allows',
  access: sessionReads,
  limits: ['console:read'],
  answer: z.object({ developer: z.array(scopeAnswer), mcp: z.array(scopeAnswer) }),
  example: { answer: { developer: [scopes.developer[0]!], mcp: [scopes.mcp[0]!] } },
  handle: () => scopes,
});
