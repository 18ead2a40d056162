import { integer, type Setting, setting } from './setting.js';

/** The worker threads that own sessions. */
export const shardsSettings = {
  shardTimeout: setting(
    'SHARD_TIMEOUT',
    integer(10_000, 500, 600_000),
    'A shard that makes no progress for this long is given up; another thread replaces it.',
    {
      unit: 'ms',
      protects: 'the streams of a shard that hangs, and the capacity of the engine',
      client: 'close 1012 `shard_lost`; after a reconnect the conversation goes on',
    },
  ),
  frameQueueDuration: setting(
    'FRAME_QUEUE_DURATION',
    integer(2000, 100, 10_000),
    'Undecoded audio held for a session; beyond it its oldest frames are dropped.',
    {
      unit: 'ms',
      protects: 'memory of a shard that is late',
      client: '`service_status` `audio_dropped`',
    },
  ),
  audioPace: setting(
    'AUDIO_PACE',
    integer(4, 1, 1000),
    'Seconds of audio a stream may send a second in the long run; AUDIO_BACKLOG may come at once beside it.',
    {
      protects: 'the time of a shard, which all its streams share',
      client: '`service_status` `audio_over_budget`; then `audio_dropped` with the gap',
    },
  ),
  audioBacklog: setting(
    'AUDIO_BACKLOG',
    integer(120_000, 10_000, 86_400_000),
    'Audio that a stream may send ahead of AUDIO_PACE, for what a wearable recorded while it was offline.',
    {
      unit: 'ms',
      protects: 'the time of a shard, which all its streams share',
      client: '`service_status` `audio_over_budget`; then `audio_dropped` with the gap',
    },
  ),
  shardPriority: setting(
    'SHARD_PRIORITY',
    integer(5, 0, 19),
    'By how much the niceness of a shard is lower than that of its process, so that other threads delay audio less. Needs root at the start, or RLIMIT_NICE; without it, or with the portable core, shards have no priority.',
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
} as const satisfies Record<string, Setting>;
