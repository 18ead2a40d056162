/** Lists groups of handlers, and the tests that must detect mutations of these handlers. */

/** A source file, or parts of it, to mutate. */
export interface Handler {
  readonly file: string;
  /** Names of declarations, tools or operations. Default: the complete source. */
  readonly within?: readonly string[];
  /** Properties to mutate. Default: every expression. */
  readonly only?: readonly string[];
}

export interface Group {
  readonly name: string;
  readonly handlers: readonly Handler[];
  /**
   * Parts of paths of test files, the quickest first. Once a test file detects a mutant, the next files are not run
   * with it.
   */
  readonly tests: readonly string[];
  /** Changes that have no effect for clients, as `--list` prints them, each with the reason. They are skipped. */
  readonly equivalent?: Readonly<Record<string, string>>;
}

const cutAgain = 'The service cuts the list once more.';

export const groups: readonly Group[] = [
  {
    name: 'get_memories',
    handlers: [
      { file: 'src/sidecar/mcp/tools/memories.ts', within: ['get_memories'] },
      { file: 'src/service/records/memory-selection.ts' },
      { file: 'src/store/records/memories.ts', within: ['orders', 'selectionText', 'selectMemoryRows'] },
    ],
    tests: ['sidecar/mcp/tool-lists', 'sidecar/mcp/tools'],
    equivalent: { 'limit $8 => limit $8 + 1000': cutAgain },
  },
  {
    name: 'search_conversations',
    handlers: [
      { file: 'src/sidecar/mcp/tools/conversations.ts', within: ['mayReadTasks', 'search_conversations'] },
      {
        file: 'src/service/conversations/assistant-conversations.ts',
        within: ['searchCards', 'snippetsIn', 'wordsOf'],
      },
      { file: 'src/service/days/given-times.ts' },
      { file: 'src/store/conversations/assistant-conversations.ts', within: ['cardsById'] },
    ],
    tests: ['sidecar/mcp/tool-lists', 'sidecar/mcp/tools', 'sidecar/answers/local-days'],
    equivalent: {
      'Object.values(given).every(isMoment) => false': 'The zone is read although no day needs it.',
      'all.every((one) => settledTimes(one) !== null) => false': 'The zone is read although no day needs it.',
      'Object.values(given).some((time) => time instanceof Date) => true':
        'The zone is read although no moment needs it.',
      'uid = ${uid} => ((uid = ${uid}) or true)': 'The index of a user names records of that user only.',
      'known.length === 0 => false': 'The database answers no rows.',
      'id = any(${known}) => ((id = any(${known})) or true)':
        'Rows are put in the order of the ids, others fall out.',
    },
  },
  {
    name: 'order',
    handlers: [
      { file: 'src/sidecar/mcp/tools/own-records.ts', within: ['get_x_posts', 'get_chat_messages'] },
      { file: 'src/sidecar/mcp/tools/conversations.ts', within: ['get_daily_summaries'] },
      { file: 'src/store/records/timed-rows.ts', within: ['list'] },
    ],
    tests: ['sidecar/mcp/tool-lists', 'sidecar/records/own-data', 'sidecar/mcp/tools'],
  },
  {
    name: 'metadata only',
    handlers: [
      { file: 'src/sidecar/mcp/tools/conversations.ts', within: ['get_conversations'] },
      { file: 'src/service/conversations/assistant-conversations.ts', within: ['card', 'listCards'] },
      {
        file: 'src/store/conversations/assistant-conversations.ts',
        within: ['listed', 'selectionText', 'selectCards'],
      },
    ],
    tests: ['sidecar/mcp/tool-lists', 'sidecar/mcp/tools'],
    equivalent: { 'limit $5 => limit $5 + 1000': cutAgain },
  },
  {
    name: 'command line',
    handlers: [
      {
        file: 'src/cli/session/session.ts',
        within: [
          'constructor',
          'open',
          'profile',
          'base',
          'environmentKey',
          'api',
          'idToken',
          '#developerCredential',
        ],
      },
      { file: 'src/cli/config/path.ts' },
      { file: 'src/cli/config/base-address.ts' },
      { file: 'src/cli/config/api-key.ts' },
    ],
    tests: ['cli/precedence', 'cli/config'],
    equivalent: { 'given.trim() => given': 'The parser of addresses leaves blanks out.' },
  },
  {
    name: 'operation ids',
    handlers: [
      ...[
        'frame/record-heads',
        'dev/ask',
        'dev/conversations',
        'dev/create-conversations',
        'dev/folders',
        'dev/goals',
        'keys/developer-keys',
        'dev/search',
        'keys/managed-keys',
        'mcp/rest',
        'mcp/tool-reads',
      ].map((name) => ({ file: `src/sidecar/${name}.ts`, only: ['operationId'] })),
    ],
    tests: ['sidecar/frame/description'],
  },
  {
    name: 'keys',
    handlers: [
      {
        file: 'src/identity/api-keys.ts',
        within: ['nameFor', 'scopesFor', 'createApiKey', 'shown', 'newSecret'],
      },
      { file: 'src/identity/scopes.ts', within: ['scopesOf', 'readingScopesOf', 'defaultScopesOf'] },
      { file: 'src/sidecar/keys/managed-keys.ts', within: ['keyView', 'handle'] },
    ],
    tests: ['sidecar/records/keys'],
  },
  {
    name: 'own issuer',
    handlers: [
      { file: 'src/identity/external-issuer.ts' },
      { file: 'src/identity/assistant-claims.ts' },
      {
        file: 'src/identity/token-verifier.ts',
        within: [
          'mediaType',
          'admitsAnyone',
          'external',
          'admit',
          'lookUp',
          'claimsOf',
          'isForAssistant',
          'isIdToken',
          'verify',
          'verifyAccess',
        ],
      },
      { file: 'src/sidecar/identity/well-known.ts', within: ['resourceRoutes', 'wellKnownRoutes'] },
    ],
    tests: [
      'sidecar/issuer/external-issuer',
      'identity/token-verifier',
      'sidecar/issuer/oauth',
      'structure/generated-client',
      'sidecar/frame/description',
    ],
    equivalent: {
      'toolServerPaths.toReversed() => toolServerPaths': 'Routes are found in any order.',
      "'iss', => nothing": 'The issuer is compared.',
      "'sub', => nothing": 'The subject is checked behind it.',
      "'aud', => nothing": 'The audience is checked behind it.',
    },
  },
];
