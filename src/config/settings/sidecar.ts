import { z } from 'zod';
import { flag, integer, list, type Setting, setting } from './setting.js';

/** Settings of the REST API, and of the log of every process. */
export const sidecarSettings = {
  bodyLimit: setting(
    'BODY_LIMIT',
    integer(4_194_304, 1024, 1_073_741_824),
    'Maximum size of a REST request body.',
    {
      unit: 'bytes',
      protects: 'memory of the sidecar',
      client: 'HTTP 413 `body_too_large`',
    },
  ),
  requestTimeout: setting(
    'REQUEST_TIMEOUT',
    integer(30_000, 100, 600_000),
    'Maximum time of a REST request. After this time, the answer is 504.',
    {
      unit: 'ms',
      protects: 'connections and memory of the sidecar',
      client: 'HTTP 504 `request_timeout`',
    },
  ),
  answerMemory: setting(
    'ANSWER_MEMORY',
    integer(67_108_864, 1_048_576, 17_179_869_184),
    'Maximum memory for large answers (over 256 KiB) of all users, from the database read until the client has read them. An answer that is sent in parts counts as 1 MiB, whatever its length.',
    {
      unit: 'bytes',
      protects: 'memory of the sidecar',
      client: 'the request waits for its turn; after `answerWait` HTTP 503 `answers_full` with `Retry-After`',
    },
  ),
  answerUserMemory: setting(
    'ANSWER_USER_MEMORY',
    integer(16_777_216, 1_048_576, 17_179_869_184),
    'Part of ANSWER_MEMORY that the answers of one user can take.',
    {
      unit: 'bytes',
      protects: 'the answers of other users',
      client:
        'the request waits for its turn; after `answerWait` HTTP 429 `answers_limited` with `Retry-After`',
    },
  ),
  corsOrigins: setting('CORS_ALLOWED_ORIGINS', list(''), 'Exact origins allowed by CORS; none by default.'),
  maxKeysPerUser: setting(
    'MAX_KEYS_PER_USER',
    integer(100, 1, 100_000),
    'Maximum number of keys of one kind that a user can have. Revoked keys do not count.',
    {
      protects: 'the size of the table of keys',
      client: 'HTTP 409 `keys_full`',
    },
  ),
  maxKeyRequestsPerAddress: setting(
    'MAX_KEY_REQUESTS_PER_ADDRESS',
    integer(120, 1, 1_000_000),
    'Maximum number of requests a minute to /v1/dev/keys and /v1/mcp/keys together from one client address (IPv6: /64), with any credentials. The same number can come at once. This machine is exempt.',
    {
      protects: 'the processor and the database from guesses and floods',
      client: 'HTTP 429 `rate_limited` with `Retry-After`',
    },
  ),
  rateLimitBoost: setting('RATE_LIMIT_BOOST', integer(1, 1, 1_000_000), 'Multiplies every rate limit.'),
  rateLimitBoostExempt: setting(
    'RATE_LIMIT_BOOST_EXEMPT',
    list(''),
    'Names of rate limits that RATE_LIMIT_BOOST does not multiply.',
  ),
  rateLimitShadow: setting(
    'RATE_LIMIT_SHADOW_MODE',
    flag,
    'true: rate limits by user are counted and logged, but refuse nothing.',
  ),
  slowStatement: setting(
    'SLOW_STATEMENT',
    integer(500, 0, 600_000),
    'Duration above which a statement of the REST API is logged, without its values. 0: no statement is logged.',
    { unit: 'ms' },
  ),

  logLevel: setting(
    'LOG_LEVEL',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'Minimum severity of log lines that are written.',
  ),
  logBuffer: setting(
    'LOG_BUFFER',
    integer(1_048_576, 1024, 67_108_864),
    'Maximum size of log lines that wait in each thread because the log collector reads slowly. Further lines are dropped and counted.',
    {
      unit: 'bytes',
      protects: 'all streams, from a log collector that stops reading',
      client: 'nothing; the log shows how many lines are missing',
    },
  ),
  logRepeats: setting(
    'LOG_REPEATS',
    integer(20, 0, 1_000_000),
    'Maximum number of log lines with the same level and message in 10 s. Further lines are counted, not written. 0: all are written.',
    {
      protects: 'the log and its disk, from a client or a fault that repeats',
      client: 'nothing; the log shows how many lines were left out',
    },
  ),
} as const satisfies Record<string, Setting>;
