import { integer, type Setting, setting, text } from './setting.js';

/** PostgreSQL. */
export const databaseSettings = {
  databaseUrl: setting('DATABASE_URL', text(''), 'PostgreSQL to use; empty: the embedded one.', {
    secret: true,
  }),
  databaseConnections: setting(
    'DATABASE_CONNECTIONS',
    integer(0, 0, 10_000),
    'Connections to PostgreSQL that the sidecar and the engine processes of this machine share; 0: 90, or as many as SHARDS need.',
  ),
  databaseTimeout: setting(
    'DATABASE_TIMEOUT',
    integer(3000, 100, 60_000),
    'After this long without an answer the journal spills.',
    { unit: 'ms' },
  ),
} as const satisfies Record<string, Setting>;
