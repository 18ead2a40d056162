import { z } from 'zod';
import type { LimitWords } from './limits.js';

/**
 * Every setting of the product: environment name, schema with default, unit and comment.
 * `deploy/cochlea.env.sample` is generated from this table and a test keeps it equal.
 */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  readonly env: string;
  readonly schema: Schema;
  readonly unit?: string;
  readonly comment: string;
  /** Never printed by `cochlea settings`, never logged. */
  readonly secret?: boolean;
  /** Present where the setting bounds what a client can do; `docs/limits.md` lists it then. */
  readonly limit?: LimitWords;
}

const setting = <Schema extends z.ZodType>(
  env: string,
  schema: Schema,
  comment: string,
  extra: { unit?: string; secret?: boolean; limit?: LimitWords } = {},
): Setting<Schema> => ({ env, schema, comment, ...extra });

const integer = (fallback: number, minimum: number, maximum: number) =>
  z.coerce.number().int().min(minimum).max(maximum).default(fallback);
const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');
const fraction = (fallback: number) => z.coerce.number().min(0).max(1).default(fallback);
const text = (fallback = '') => z.string().default(fallback);
const list = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    );

export const settings = {
  // Addresses
  host: setting(
    'HOST',
    text('127.0.0.1'),
    'Address the engine listens on; beyond loopback it needs TLS_CERT and TLS_KEY, or TLS_PROXY.',
  ),
  port: setting(
    'PORT',
    integer(8787, 0, 65535),
    'Port of the engine: WebSocket, and everything else passed through to the sidecar.',
  ),
  sidecarHost: setting(
    'SIDECAR_HOST',
    text('127.0.0.1'),
    'Address the sidecar listens on, in plain HTTP; beyond loopback it needs PRIVATE_NETWORK.',
  ),
  sidecarPort: setting('SIDECAR_PORT', integer(8788, 0, 65535), 'Port of the sidecar.'),
  metricsHost: setting(
    'METRICS_HOST',
    text('127.0.0.1'),
    'Address of the Prometheus page; beyond loopback it needs PRIVATE_NETWORK.',
  ),
  metricsPort: setting('METRICS_PORT', integer(8789, 0, 65535), 'Port of the Prometheus page.'),
  publicUrl: setting('PUBLIC_URL', text(''), 'Base address clients use; empty: derived from HOST and PORT.'),

  tlsCert: setting(
    'TLS_CERT',
    text(''),
    'File with the certificate chain (PEM) of the listener; with it and TLS_KEY the listener speaks TLS only.',
  ),
  tlsKey: setting(
    'TLS_KEY',
    text(''),
    'File with the private key (PEM); readable by its owner or group only.',
  ),
  tlsProxy: setting(
    'TLS_PROXY',
    flag,
    'true: a proxy in front of HOST speaks TLS, so that the listener may be plain beyond loopback.',
  ),
  privateNetwork: setting(
    'PRIVATE_NETWORK',
    flag,
    'true: no stranger reaches SIDECAR_HOST and METRICS_HOST, so that they may be plain beyond loopback.',
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    list('loopback'),
    'Peers whose X-Forwarded-For names the client: loopback, none, addresses, networks (10.0.0.0/8). A trusted peer that names no client is exempt from limits by address. Without effect with AUTH_MODE=uid.',
  ),

  // Places
  dataDir: setting(
    'COCHLEA_DATA_DIR',
    text(''),
    'Database files, spill, retained audio, models. Empty: .cochlea in the checkout, or /var/lib/cochlea as root.',
  ),
  modelsDir: setting(
    'COCHLEA_MODELS_DIR',
    text(''),
    'Folder with model files the operator placed there; read before any download.',
  ),
  modelsMirror: setting(
    'COCHLEA_MODELS_MIRROR',
    text(''),
    'Base address of a mirror of model files, asked first.',
  ),

  // Processes
  shards: setting('SHARDS', integer(0, 0, 256), 'Worker threads that own sessions; 0: one per core but one.'),
  jobThreads: setting('JOB_THREADS', integer(1, 1, 64), 'Worker threads for coarse jobs.'),
  engineProcesses: setting(
    'ENGINE_PROCESSES',
    integer(1, 1, 64),
    'Engine processes sharing one port (kernel-balanced).',
  ),
  runAs: setting(
    'RUN_AS',
    text(''),
    'User that engines and the sidecar become when they are started as root: USER, USER:GROUP, or root to stay it. Empty: cochlea, as the embedded database.',
  ),
  core: setting(
    'COCHLEA_CORE',
    z.enum(['auto', 'native', 'portable']).default('auto'),
    'Audio core: auto picks native where it loads.',
  ),

  // Identity
  authMode: setting(
    'AUTH_MODE',
    z.enum(['token', 'uid']).default('token'),
    'uid accepts a bare uid; loopback trials only, refused on any other listen address.',
  ),
  idTokenIssuer: setting(
    'ID_TOKEN_ISSUER',
    text(''),
    'Issuer of ID tokens, their "iss"; empty: the built-in issuer, named PUBLIC_URL or "cochlea".',
  ),
  idTokenJwks: setting('ID_TOKEN_JWKS', text(''), "Address of the issuer's JWKS; empty: found by discovery."),
  idTokenFormerIssuers: setting(
    'ID_TOKEN_FORMER_ISSUERS',
    list(''),
    'Names the built-in issuer had before PUBLIC_URL changed: its earlier tokens stay valid.',
  ),
  idTokenAudience: setting('ID_TOKEN_AUDIENCE', text(''), 'Audience ID tokens must carry; empty: cochlea.'),
  idTokenLifetime: setting(
    'ID_TOKEN_LIFETIME',
    integer(2_592_000, 60, 31_536_000),
    'Lifetime of tokens made by "cochlea users create".',
    { unit: 's' },
  ),
  keyBrand: setting(
    'KEY_BRAND',
    z
      .string()
      .regex(/^[a-z0-9]{1,16}$/)
      .default('svc'),
    'Brand part of key prefixes: BRAND_dev_..., BRAND_mcp_....',
  ),

  // Database
  databaseUrl: setting('DATABASE_URL', text(''), 'PostgreSQL to use; empty: the embedded one.', {
    secret: true,
  }),
  databaseConnections: setting(
    'DATABASE_CONNECTIONS',
    integer(0, 0, 10_000),
    'Connections to PostgreSQL that sidecar and engine processes of this machine share; 0: 80, or what SHARDS need.',
  ),
  databaseTimeout: setting(
    'DATABASE_TIMEOUT',
    integer(3000, 100, 60_000),
    'After this long without an answer the journal spills.',
    { unit: 'ms' },
  ),

  // Front: admission and limits
  maxStreams: setting('MAX_STREAMS', integer(4096, 1, 1_000_000), 'Open streams of this engine.', {
    limit: {
      protects: 'memory and processor of the engine',
      client: 'HTTP 503 `overloaded` with `Retry-After`',
      test: 'test/front/refusals.test.ts',
    },
  }),
  maxStreamsPerUser: setting('MAX_STREAMS_PER_USER', integer(8, 1, 10_000), 'Open streams of one user.', {
    limit: {
      protects: 'the streams of other users',
      client: 'HTTP 503 `too_many_streams`',
      test: 'test/front/refusals.test.ts',
    },
  }),
  maxOpensPerUser: setting(
    'MAX_OPENS_PER_USER',
    integer(60, 1, 1_000_000),
    'Streams one user may open a minute; as many may come at once.',
    {
      limit: {
        protects: 'shards and database from reconnect churn',
        client: 'HTTP 429 `opens_limited` with `Retry-After`; close 1013 on the web route',
        test: 'test/front/churn.test.ts',
      },
    },
  ),
  maxOpensPerAddress: setting(
    'MAX_OPENS_PER_ADDRESS',
    integer(1200, 1, 1_000_000),
    'Upgrades one client address (IPv6: /64) may ask for a minute; as many may come at once. Trusted peers that name no client are exempt.',
    {
      limit: {
        protects: 'the processor from upgrades and checks of tokens',
        client: 'HTTP 429 `opens_limited` with `Retry-After`',
        test: 'test/front/churn.test.ts',
      },
    },
  ),
  maxUpgrades: setting(
    'MAX_UPGRADES',
    integer(1024, 1, 1_000_000),
    'Upgrades whose token is being checked.',
    {
      limit: {
        protects: 'memory, while keys or database are slow',
        client: 'HTTP 503 `upgrades_full` with `Retry-After`',
        test: 'test/front/unauthenticated.test.ts',
      },
    },
  ),
  maxUpgradesPerAddress: setting(
    'MAX_UPGRADES_PER_ADDRESS',
    integer(128, 1, 1_000_000),
    'The same for one client address.',
    {
      limit: {
        protects: 'upgrades of other addresses',
        client: 'HTTP 503 `upgrades_full` with `Retry-After`',
        test: 'test/front/unauthenticated.test.ts',
      },
    },
  ),
  maxUnauthenticated: setting(
    'MAX_UNAUTHENTICATED',
    integer(256, 1, 1_000_000),
    'Sockets of /v4/web/listen that have not authenticated; they are not counted in MAX_STREAMS. Over it the one that has waited longest, over a second, makes room.',
    {
      limit: {
        protects: 'slots of authenticated streams',
        client: 'HTTP 503 `unauthenticated_full` with `Retry-After`, or close 1013 of the oldest',
        test: 'test/front/unauthenticated.test.ts',
      },
    },
  ),
  maxUnauthenticatedPerAddress: setting(
    'MAX_UNAUTHENTICATED_PER_ADDRESS',
    integer(32, 1, 1_000_000),
    'The same for one client address.',
    {
      limit: {
        protects: 'the places of other addresses',
        client: 'HTTP 503 `unauthenticated_full` with `Retry-After`',
        test: 'test/front/unauthenticated.test.ts',
      },
    },
  ),
  allowedOrigins: setting(
    'ALLOWED_ORIGINS',
    list(''),
    "Origins (https://app.example.org) whose pages may open sockets, beside the engine's own; * lets every page in, and is refused with AUTH_MODE=uid. Programs send no Origin and are let in.",
  ),
  maxCodedFrame: setting('MAX_CODED_FRAME', integer(16_384, 16, 1_048_576), 'Largest coded frame.', {
    unit: 'bytes',
  }),
  maxPcmFrame: setting('MAX_PCM_FRAME', integer(2000, 10, 10_000), 'Longest PCM message.', { unit: 'ms' }),
  maxText: setting(
    'MAX_TEXT',
    integer(65_536, 1024, 1_048_576),
    'Largest text message, chunks of images apart.',
    {
      unit: 'bytes',
      limit: {
        protects: 'the time of a shard, which all its streams share',
        client: 'close 1009 `text_too_large`',
        test: 'test/engine/text-budget.test.ts',
      },
    },
  ),
  maxImageChunk: setting(
    'MAX_IMAGE_CHUNK',
    integer(1_048_576, 1024, 1_048_576),
    'Largest image_chunk message; its data is not parsed.',
    {
      unit: 'bytes',
      limit: {
        protects: 'the ring to a shard',
        client: 'close 1009 `text_too_large`',
        test: 'test/engine/text-budget.test.ts',
      },
    },
  ),
  textRate: setting(
    'TEXT_RATE',
    integer(262_144, 1024, 1_073_741_824),
    'Text a socket may send a second in the long run.',
    {
      unit: 'bytes',
      limit: {
        protects: 'the main thread, the ring and other streams of the shard',
        client: 'close 1008 `text_flood`',
        test: 'test/front/text-budget.test.ts',
      },
    },
  ),
  textBurst: setting(
    'TEXT_BURST',
    integer(4_194_304, 1024, 1_073_741_824),
    'Text a socket may send at once: an image in chunks.',
    {
      unit: 'bytes',
      limit: {
        protects: 'the main thread, the ring and other streams of the shard',
        client: 'close 1008 `text_flood`',
        test: 'test/front/text-budget.test.ts',
      },
    },
  ),
  lagBudget: setting(
    'LAG_BUDGET',
    integer(200, 10, 60_000),
    'New streams are refused while a shard is this far behind.',
    { unit: 'ms' },
  ),
  transcriberLagBudget: setting(
    'TRANSCRIBER_LAG_BUDGET',
    integer(5000, 100, 600_000),
    'New streams are refused while the first utterance of a new one would wait this long for the transcriber.',
    {
      unit: 'ms',
      limit: {
        protects: 'the words of streams that are open, and of the new one',
        client: 'HTTP 503 `overloaded`',
        test: 'test/stt/decode-schedule.test.ts',
      },
    },
  ),
  ringSize: setting(
    'RING_SIZE',
    integer(4_194_304, 65_536, 268_435_456),
    'Ring from the front to each shard; a power of two.',
    { unit: 'bytes' },
  ),
  maxProxied: setting(
    'MAX_PROXIED',
    integer(64, 1, 10_000),
    'Requests passed through to the sidecar at once.',
    {
      limit: {
        protects: 'the sidecar',
        client: 'HTTP 503 `overloaded`',
        test: 'test/front/pass-through.test.ts',
      },
    },
  ),
  maxProxiedPerAddress: setting(
    'MAX_PROXIED_PER_ADDRESS',
    integer(16, 1, 10_000),
    'Of these, requests of one client address.',
    {
      limit: {
        protects: 'the requests of other clients',
        client: 'HTTP 503 `overloaded`',
        test: 'test/attack/slow-uploads.test.ts',
      },
    },
  ),
  slowestBody: setting(
    'SLOWEST_BODY',
    integer(4096, 1, 1_048_576),
    'Average rate below which a request body is given up, after the first 10 s.',
    {
      unit: 'bytes/s',
      limit: {
        protects: 'the places of other requests',
        client: 'HTTP 408 `body_too_slow`',
        test: 'test/front/exchange.test.ts',
      },
    },
  ),
  maxProxiedBody: setting(
    'MAX_PROXIED_BODY',
    integer(33_554_432, 1024, 1_073_741_824),
    'Largest request body passed through.',
    {
      unit: 'bytes',
      limit: {
        protects: 'memory and disk behind the listener',
        client: 'HTTP 413 `body_too_large`',
        test: 'test/front/pass-through.test.ts',
      },
    },
  ),
  heartbeatInterval: setting(
    'HEARTBEAT_INTERVAL',
    integer(10_000, 100, 60_000),
    'Text "ping" to every client.',
    { unit: 'ms' },
  ),
  idleTimeout: setting(
    'IDLE_TIMEOUT',
    integer(90_000, 1000, 900_000),
    'Close 1001 after this long without any client message.',
    { unit: 'ms' },
  ),
  webAuthTimeout: setting(
    'WEB_AUTH_TIMEOUT',
    integer(5000, 100, 60_000),
    'The auth message on /v4/web/listen has to come this soon after the upgrade; a check of a token may take as long.',
    {
      unit: 'ms',
      limit: {
        protects: 'places of sockets that have not authenticated',
        client:
          'close 1008 `web_auth_timeout`; 1013 or HTTP 503 `auth_unavailable` when the check did not end',
        test: 'test/front/unauthenticated.test.ts',
      },
    },
  ),
  accountCheckInterval: setting(
    'ACCOUNT_CHECK_INTERVAL',
    integer(30_000, 100, 3_600_000),
    'Accounts of open sockets are looked up this often; close 4004 where one is gone.',
    { unit: 'ms' },
  ),
  drainTimeout: setting(
    'DRAIN_TIMEOUT',
    integer(20_000, 0, 3_600_000),
    'Bound on draining after the first signal.',
    { unit: 'ms' },
  ),

  // Shards
  shardTimeout: setting(
    'SHARD_TIMEOUT',
    integer(10_000, 500, 600_000),
    'A shard that stands still for this long is given up; another thread takes its place.',
    {
      unit: 'ms',
      limit: {
        protects: 'the streams of a shard that hangs, and the capacity of the engine',
        client: 'close 1012 `shard_lost`; after a reconnect the conversation goes on',
        test: 'test/front/shard-watch.test.ts',
      },
    },
  ),
  slabDuration: setting(
    'SLAB_DURATION',
    integer(2000, 100, 10_000),
    'Undecoded audio held for a session; then its oldest frames are dropped.',
    { unit: 'ms' },
  ),
  audioPace: setting(
    'AUDIO_PACE',
    integer(4, 1, 1000),
    'Seconds of audio a stream may send a second in the long run; AUDIO_BACKLOG may come at once beside it.',
    {
      limit: {
        protects: 'the time of a shard, which all its streams share',
        client: '`service_status` `audio_over_budget`; then `audio_dropped` with the gap',
        test: 'test/audio/budget.test.ts',
      },
    },
  ),
  audioBacklog: setting(
    'AUDIO_BACKLOG',
    integer(120_000, 10_000, 86_400_000),
    'Audio a stream may be ahead of that: what a wearable kept while it was away.',
    {
      unit: 'ms',
      limit: {
        protects: 'the time of a shard, which all its streams share',
        client: '`service_status` `audio_over_budget`; then `audio_dropped` with the gap',
        test: 'test/audio/budget.test.ts',
      },
    },
  ),
  turnWindows: setting(
    'TURN_WINDOWS',
    integer(16, 1, 64),
    'A turn runs when this many VAD windows are ready ...',
  ),
  turnDeadline: setting('TURN_DEADLINE', integer(8, 1, 100), '... or the oldest is this old.', {
    unit: 'ms',
  }),
  tick: setting('TICK', integer(600, 50, 5000), 'Segments are merged, made durable and sent this often.', {
    unit: 'ms',
  }),

  // Gate
  vadOnset: setting('VAD_ONSET', fraction(0.5), 'Speech starts at this probability.'),
  vadOff: setting('VAD_OFF', fraction(0.35), 'Speech ends below this probability.'),
  vadPreRoll: setting('VAD_PRE_ROLL', integer(300, 0, 2000), 'Audio kept before an onset.', { unit: 'ms' }),
  vadEndSilence: setting('VAD_END_SILENCE', integer(600, 100, 5000), 'Silence that ends an utterance.', {
    unit: 'ms',
  }),
  vadMinSpeech: setting('VAD_MIN_SPEECH', integer(250, 0, 5000), 'Shorter speech is not an utterance.', {
    unit: 'ms',
  }),
  vadMaxUtterance: setting('VAD_MAX_UTTERANCE', integer(15_000, 1000, 29_000), 'Longer utterances are cut.', {
    unit: 'ms',
  }),

  // Speech to text
  stt: setting(
    'COCHLEA_STT',
    z.enum(['provider', 'discard']).default('provider'),
    'discard: utterances are dropped after the gate; benchmarks only.',
  ),
  sttModels: setting(
    'STT_SERVICE_MODELS',
    list('local'),
    'Ordered providers; the first that supports the language serves.',
  ),
  sttModel: setting(
    'STT_LOCAL_MODEL',
    text('whisper-tiny.en'),
    'Model of the local provider, by its name in the manifest.',
  ),
  transcriberConcurrency: setting(
    'TRANSCRIBER_CONCURRENCY',
    integer(0, 0, 64),
    'Utterances decoded at once; 0: one per core but one.',
  ),
  transcriberQueue: setting(
    'TRANSCRIBER_QUEUE',
    integer(120_000, 1000, 3_600_000),
    'Speech of all users that waits for the transcriber; what is over it is retained on disk instead.',
    {
      unit: 'ms',
      limit: {
        protects: 'memory of the engine; who has most waiting gives way',
        client: 'nothing at once; the words of what was retained do not arrive live',
        test: 'test/stt/transcriber.test.ts',
      },
    },
  ),
  transcriberUserQueue: setting(
    'TRANSCRIBER_USER_QUEUE',
    integer(90_000, 1000, 3_600_000),
    'Speech of one user that waits for the transcriber; what is over it is retained on disk instead.',
    {
      unit: 'ms',
      limit: {
        protects: 'the turns of other users',
        client: 'nothing at once; the words of what was retained do not arrive live',
        test: 'test/stt/transcriber.test.ts',
      },
    },
  ),
  transcriberStreamQueue: setting(
    'TRANSCRIBER_STREAM_QUEUE',
    integer(60_000, 1000, 3_600_000),
    'Speech of one stream that waits for the transcriber; what is over it is retained on disk instead.',
    {
      unit: 'ms',
      limit: {
        protects: 'the other streams of the same user',
        client: 'nothing at once; the words of what was retained do not arrive live',
        test: 'test/stt/transcriber.test.ts',
      },
    },
  ),
  transcriberTimeout: setting(
    'TRANSCRIBER_TIMEOUT',
    integer(30_000, 1000, 600_000),
    'One utterance may take this long; then the child is killed.',
    {
      unit: 'ms',
      limit: {
        protects: 'the turns of other users',
        client: 'nothing at once; after three tries the utterance is retained on disk',
        test: 'test/stt/transcriber.test.ts',
      },
    },
  ),

  retainedSize: setting(
    'RETAINED_AUDIO_SIZE',
    integer(4_294_967_296, 1_048_576, 1_099_511_627_776),
    'Disk that audio may take which could not be transcribed. Above 95 % new streams are refused; nothing is deleted.',
    {
      unit: 'bytes',
      limit: {
        protects: 'the disk',
        client:
          'a new stream HTTP 503 `overloaded`; an open one whose audio has no place `stt_failed` and close 1011',
        test: 'test/stt/retained-store.test.ts',
      },
    },
  ),
  retainedUserSize: setting(
    'RETAINED_AUDIO_USER_SIZE',
    integer(268_435_456, 1_048_576, 1_099_511_627_776),
    'What one user may take of that.',
    {
      unit: 'bytes',
      limit: {
        protects: 'admission: one user cannot fill the store',
        client: '`stt_failed` and close 1011 on the stream whose audio has no place',
        test: 'test/stt/retained-store.test.ts',
      },
    },
  ),

  // Conversations
  leaseDuration: setting(
    'LEASE_DURATION',
    integer(30_000, 1000, 600_000),
    'An engine that stops renewing loses its conversations after this.',
    { unit: 'ms' },
  ),
  sweepInterval: setting(
    'SWEEP_INTERVAL',
    integer(5000, 100, 600_000),
    'The sidecar looks for orphaned conversations this often.',
    { unit: 'ms' },
  ),
  spillSize: setting(
    'SPILL_SIZE',
    integer(1_073_741_824, 1_048_576, 1_099_511_627_776),
    'Largest spill of the journal.',
    { unit: 'bytes' },
  ),

  // Sidecar
  bodyLimit: setting('BODY_LIMIT', integer(4_194_304, 1024, 1_073_741_824), 'Largest REST body.', {
    unit: 'bytes',
    limit: {
      protects: 'memory of the sidecar',
      client: 'HTTP 413 `body_too_large`',
      test: 'test/sidecar/http.test.ts',
    },
  }),
  requestTimeout: setting(
    'REQUEST_TIMEOUT',
    integer(30_000, 100, 600_000),
    'A REST request may take this long; then it is answered 503.',
    { unit: 'ms' },
  ),
  corsOrigins: setting('CORS_ALLOWED_ORIGINS', list(''), 'Exact origins allowed by CORS; none by default.'),
  maxKeysPerUser: setting(
    'MAX_KEYS_PER_USER',
    integer(100, 1, 100_000),
    'Live keys of one kind that a user may hold.',
    {
      limit: {
        protects: 'the table of keys',
        client: 'HTTP 409 `keys_full`',
        test: 'test/sidecar/key-limits.test.ts',
      },
    },
  ),
  maxKeyRequestsPerAddress: setting(
    'MAX_KEY_REQUESTS_PER_ADDRESS',
    integer(120, 1, 1_000_000),
    'Requests a minute of one client address (IPv6: /64) on /v1/dev/keys, whatever their credentials; as many may come at once. This machine is exempt.',
    {
      limit: {
        protects: 'the processor and the database from guesses and floods',
        client: 'HTTP 429 `rate_limited` with `Retry-After`',
        test: 'test/sidecar/key-limits.test.ts',
      },
    },
  ),
  rateLimitBoost: setting('RATE_LIMIT_BOOST', integer(1, 1, 1_000_000), 'Multiplies every rate limit.'),

  logLevel: setting(
    'LOG_LEVEL',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'Least severe log line written.',
  ),
  logBuffer: setting(
    'LOG_BUFFER',
    integer(1_048_576, 1024, 67_108_864),
    'Log lines held in each thread for a reader of standard error that is too slow; more are dropped and counted.',
    {
      unit: 'bytes',
      limit: {
        protects: 'every stream, from a log collector that stalls',
        client: 'nothing; the log says how many lines are missing',
        test: 'test/attack/stalled-log.test.ts',
      },
    },
  ),
  logRepeats: setting(
    'LOG_REPEATS',
    integer(20, 0, 1_000_000),
    'Log lines with the same level and message written in 10 s; the rest are counted. 0: all are written.',
    {
      limit: {
        protects: 'the log and its disk, from a client or a fault that repeats',
        client: 'nothing; the log says how many lines were left out',
        test: 'test/log/logger.test.ts',
      },
    },
  ),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
export type Settings = { readonly [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> };
