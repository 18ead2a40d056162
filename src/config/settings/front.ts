import { integer, list, type Setting, setting } from './setting.js';

/** Properties that all limits on texts from a user share: the unit, and texts for the limits page. */
const textFlood = {
  unit: 'bytes',
  protects: 'the main thread, the ring and other streams of the shard',
  client: 'close 1008 `text_flood`',
};

/** Settings of the listener: limits of streams, requests and messages. */
export const frontSettings = {
  maxStreams: setting(
    'MAX_STREAMS',
    integer(4096, 1, 1_000_000),
    'Maximum number of open streams of this engine.',
    {
      protects: 'memory and processor of the engine',
      client: 'HTTP 503 `overloaded` with `Retry-After`',
    },
  ),
  maxStreamsPerUser: setting(
    'MAX_STREAMS_PER_USER',
    integer(8, 1, 10_000),
    'Maximum number of open streams of one user.',
    {
      protects: 'the streams of other users',
      client: 'HTTP 503 `too_many_streams`',
    },
  ),
  maxOpensPerUser: setting(
    'MAX_OPENS_PER_USER',
    integer(30, 1, 1_000_000),
    'Maximum number of streams that one user can open a minute. Twice as many can be opened at once, for devices that repeatedly lose their network.',
    {
      protects: 'shards and database from clients that reconnect again and again',
      client: 'HTTP 429 `opens_limited` with `Retry-After`; close 1013 on the web route',
    },
  ),
  maxOpensPerAddress: setting(
    'MAX_OPENS_PER_ADDRESS',
    integer(1200, 1, 1_000_000),
    'Maximum number of requests for a WebSocket a minute from one client address (IPv6: /64). The same number can come at once. Trusted proxies without X-Forwarded-For are exempt.',
    {
      protects: 'the processor from upgrades and checks of tokens',
      client: 'HTTP 429 `opens_limited` with `Retry-After`',
    },
  ),
  maxUpgrades: setting(
    'MAX_UPGRADES',
    integer(1024, 1, 1_000_000),
    'Maximum number of requests for a WebSocket whose tokens are being checked.',
    {
      protects: 'memory, while keys or the database answer slowly',
      client: 'HTTP 503 `upgrades_full` with `Retry-After`',
    },
  ),
  maxUpgradesPerAddress: setting(
    'MAX_UPGRADES_PER_ADDRESS',
    integer(128, 1, 1_000_000),
    'Maximum number of requests for a WebSocket from one client address whose tokens are being checked.',
    {
      protects: 'upgrades of other addresses',
      client: 'HTTP 503 `upgrades_full` with `Retry-After`',
    },
  ),
  maxUnauthenticated: setting(
    'MAX_UNAUTHENTICATED',
    integer(256, 1, 1_000_000),
    'Maximum number of sockets of /v4/web/listen that have not authenticated. They do not count towards MAX_STREAMS. If the limit is reached, a new socket replaces the oldest, provided that the oldest has waited over a second.',
    {
      protects: 'slots of authenticated streams',
      client: 'HTTP 503 `unauthenticated_full` with `Retry-After`, or close 1013 of the oldest socket',
    },
  ),
  maxUnauthenticatedPerAddress: setting(
    'MAX_UNAUTHENTICATED_PER_ADDRESS',
    integer(32, 1, 1_000_000),
    'Maximum number of sockets of /v4/web/listen of one client address that have not authenticated.',
    {
      protects: 'the places of other addresses',
      client: 'HTTP 503 `unauthenticated_full` with `Retry-After`',
    },
  ),
  allowedOrigins: setting(
    'ALLOWED_ORIGINS',
    list(''),
    "Origins (https://app.example.org) of web pages that may open sockets, in addition to the engine's own pages. * admits every page and is refused with AUTH_MODE=uid. Programs send no Origin and are always admitted.",
  ),
  maxCodedFrame: setting(
    'MAX_CODED_FRAME',
    integer(16_384, 16, 1_048_576),
    'Maximum size of an encoded frame.',
    {
      unit: 'bytes',
      protects: 'the ring to a shard, and its decoders',
      client: 'close 1009 `frame_too_large`',
    },
  ),
  maxPcmFrame: setting('MAX_PCM_FRAME', integer(2000, 10, 10_000), 'Maximum duration of a PCM message.', {
    unit: 'ms',
    protects: 'the ring to a shard',
    client: 'close 1009 `frame_too_large`',
  }),
  maxText: setting(
    'MAX_TEXT',
    integer(65_536, 1024, 1_048_576),
    'Maximum size of a text message, except messages with parts of an image.',
    {
      unit: 'bytes',
      protects: 'the time of a shard, which all its streams share',
      client: 'close 1009 `text_too_large`',
    },
  ),
  maxImageChunk: setting(
    'MAX_IMAGE_CHUNK',
    integer(1_048_576, 1024, 1_048_576),
    'Maximum size of an image_chunk message.',
    {
      unit: 'bytes',
      protects: 'the ring to a shard',
      client: 'close 1009 `text_too_large`',
    },
  ),
  textRate: setting(
    'TEXT_RATE',
    integer(131_072, 1024, 1_073_741_824),
    'Bytes of text that a user can send per second in the long run, on all sockets together. The same limit applies to each unauthenticated socket.',
    textFlood,
  ),
  textBurst: setting(
    'TEXT_BURST',
    integer(1_048_576, 1024, 1_073_741_824),
    'Bytes of text that a user can send at once, on all sockets together, without images. The default suffices for the transcript of an hour offline.',
    textFlood,
  ),
  imageBurst: setting(
    'IMAGE_BURST',
    integer(4_194_304, 1024, 1_073_741_824),
    'Bytes of image_chunk messages that a user can send at once, on all sockets together. In the long run, their limit is `TEXT_RATE`, separate from other text.',
    textFlood,
  ),
  lagBudget: setting(
    'LAG_BUDGET',
    integer(200, 10, 60_000),
    'Delay of a shard above which new streams are refused. The delay is the age of the oldest unprocessed frame.',
    {
      unit: 'ms',
      protects: 'the delay of streams that are open',
      client: 'HTTP 503 `overloaded`, after LAG_WAIT',
    },
  ),
  lagWait: setting(
    'LAG_WAIT',
    integer(2000, 0, 60_000),
    'Maximum time that a new stream waits while the delay of a shard is above LAG_BUDGET. When an engine dies, its streams come to the other engines at once and wait in line instead of trying again later. A delay above LAG_WAIT, or a LAG_WAIT of 0, refuses them at once.',
    {
      unit: 'ms',
      protects: 'the delay of streams that are open',
      client: 'a later answer to the upgrade, or HTTP 503 `overloaded`',
    },
  ),
  transcriberLagBudget: setting(
    'TRANSCRIBER_LAG_BUDGET',
    integer(5000, 100, 600_000),
    'Expected wait of a new stream for its first words, above which new streams are refused.',
    {
      unit: 'ms',
      protects: 'the words of open streams, and of the new stream',
      client: 'HTTP 503 `overloaded`',
    },
  ),
  ringSize: setting(
    'RING_SIZE',
    integer(4_194_304, 65_536, 268_435_456),
    'Size of the ring from the front to each shard; a power of two.',
    { unit: 'bytes' },
  ),
  maxProxied: setting(
    'MAX_PROXIED',
    integer(64, 1, 10_000),
    'Maximum number of requests that the sidecar handles at once.',
    {
      protects: 'memory and processor of the sidecar',
      client: 'HTTP 503 `overloaded`',
    },
  ),
  maxProxiedPerAddress: setting(
    'MAX_PROXIED_PER_ADDRESS',
    integer(16, 1, 10_000),
    'Maximum number of requests of one client address that the sidecar handles at once.',
    {
      protects: 'the requests of other clients',
      client: 'HTTP 503 `overloaded`',
    },
  ),
  maxConsoleRequests: setting(
    'MAX_CONSOLE_REQUESTS',
    integer(256, 1, 10_000),
    'Maximum number of requests for pages, files and the interface of the console at once. Other requests have separate places.',
    {
      protects: 'memory of the engine, and the places of other requests',
      client: 'HTTP 503 `overloaded`',
    },
  ),
  maxConsoleRequestsPerAddress: setting(
    'MAX_CONSOLE_REQUESTS_PER_ADDRESS',
    integer(64, 1, 10_000),
    'Maximum number of requests for the console of one client address at once. A browser sends up to 6 at once, and several people may share an address.',
    {
      protects: 'the console of other people',
      client: 'HTTP 503 `overloaded`',
    },
  ),
  maxEventStreams: setting(
    'MAX_EVENT_STREAMS',
    integer(2048, 0, 1_000_000),
    'Maximum number of event streams that assistants hold open at this engine. A quarter of the file descriptors available to clients is a further limit. The streams do not count as requests.',
    {
      protects: 'memory and descriptors of the engine',
      client: 'HTTP 503 `overloaded`; an assistant works without the stream',
    },
  ),
  maxEventStreamsPerUser: setting(
    'MAX_EVENT_STREAMS_PER_USER',
    integer(8, 0, 10_000),
    'Maximum number of event streams that assistants of one user hold open at this engine.',
    {
      protects: 'the event streams of other users',
      client: 'HTTP 503 `too_many_streams`; an assistant works without the stream',
    },
  ),
  maxEventStreamsPerAddress: setting(
    'MAX_EVENT_STREAMS_PER_ADDRESS',
    integer(512, 0, 1_000_000),
    'Maximum number of event streams of one client address at this engine. One address can be a service with assistants of many users.',
    {
      protects: 'the event streams of other addresses',
      client: 'HTTP 503 `overloaded`; an assistant works without the stream',
    },
  ),
  maxToolStreams: setting(
    'MAX_TOOL_STREAMS',
    integer(256, 0, 100_000),
    'Maximum number of streams of the older transport of assistants (HTTP with SSE) at this engine and its sidecar. An eighth of the file descriptors available to clients is a further limit. The streams do not count as requests.',
    {
      protects: 'memory and descriptors of engine and sidecar',
      client: 'HTTP 503 `overloaded`',
    },
  ),
  maxToolStreamsPerUser: setting(
    'MAX_TOOL_STREAMS_PER_USER',
    integer(8, 0, 10_000),
    'Maximum number of streams of the older transport of assistants (HTTP with SSE) of one user.',
    {
      protects: 'the streams of other users',
      client: 'HTTP 503 `too_many_streams`',
    },
  ),
  maxToolStreamsPerAddress: setting(
    'MAX_TOOL_STREAMS_PER_ADDRESS',
    integer(64, 0, 100_000),
    'Maximum number of streams of the older transport of assistants (HTTP with SSE) of one client address.',
    {
      protects: 'the streams of other addresses',
      client: 'HTTP 503 `overloaded`',
    },
  ),
  slowestBody: setting(
    'SLOWEST_BODY',
    integer(4096, 1, 1_048_576),
    'Average rate below which a request body is rejected, after the first 10 s.',
    {
      unit: 'bytes/s',
      protects: 'the places of other requests',
      client: 'HTTP 408 `body_too_slow`',
    },
  ),
  maxProxiedBody: setting(
    'MAX_PROXIED_BODY',
    integer(33_554_432, 1024, 1_073_741_824),
    'Maximum size of the body of a request to the sidecar.',
    {
      unit: 'bytes',
      protects: 'memory and disk of the sidecar',
      client: 'HTTP 413 `body_too_large`',
    },
  ),
  heartbeatInterval: setting(
    'HEARTBEAT_INTERVAL',
    integer(10_000, 100, 60_000),
    'Interval of the text message "ping" to every client.',
    { unit: 'ms' },
  ),
  idleTimeout: setting(
    'IDLE_TIMEOUT',
    integer(90_000, 1000, 900_000),
    'Time without any client message after which a stream is closed with 1001.',
    {
      unit: 'ms',
      protects: 'the capacity for streams that send audio',
      client: 'close 1001 `idle`',
    },
  ),
  webAuthTimeout: setting(
    'WEB_AUTH_TIMEOUT',
    integer(5000, 100, 60_000),
    'Time after the upgrade in which the auth message must arrive on /v4/web/listen. A check of a token has the same timeout.',
    {
      unit: 'ms',
      protects: 'places of sockets that have not authenticated',
      client:
        'close 1008 `web_auth_timeout`; 1013 or HTTP 503 `auth_unavailable` if the check takes too long',
    },
  ),
  accountCheckInterval: setting(
    'ACCOUNT_CHECK_INTERVAL',
    integer(30_000, 100, 3_600_000),
    'Interval at which the engine checks the accounts of open sockets, in addition to a check after each change. Sockets of a deleted account are closed with 4004. At the same interval, the engine searches for audio of deleted accounts.',
    { unit: 'ms' },
  ),
  drainTimeout: setting(
    'DRAIN_TIMEOUT',
    integer(20_000, 0, 3_600_000),
    'Maximum time for draining after the first signal.',
    { unit: 'ms' },
  ),
} as const satisfies Record<string, Setting>;
