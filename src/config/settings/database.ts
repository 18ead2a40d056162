import { integer, type Setting, setting, text } from './setting.js';

/** Settings of the connection to PostgreSQL. */
export const databaseSettings = {
  databaseUrl: setting(
    'DATABASE_URL',
    text(''),
    'Address of the PostgreSQL database; empty: the embedded database.',
    {
      secret: true,
    },
  ),
  databaseConnections: setting(
    'DATABASE_CONNECTIONS',
    integer(0, 0, 10_000),
    'PostgreSQL connections shared by the sidecar and the engine processes of this machine; 0: 90, or more if SHARDS needs more.',
  ),
  databaseTimeout: setting(
    'DATABASE_TIMEOUT',
    integer(3000, 100, 60_000),
    'Time without an answer of the database after which the journal writes to the spill on disk.',
    { unit: 'ms' },
  ),
} as const satisfies Record<string, Setting>;
