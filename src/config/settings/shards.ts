import { flag, integer, type Setting, setting } from './setting.js';

/** Settings of the shards: worker threads that run the sessions of streams. */
export const shardsSettings = {
  shardTimeout: setting(
    'SHARD_TIMEOUT',
    integer(10_000, 500, 600_000),
    'Time without progress after which a shard is replaced by another thread.',
    {
      unit: 'ms',
      protects: 'the streams of a shard that hangs, and the capacity of the engine',
      client: 'close 1012 `shard_lost`; after a reconnect the conversation continues',
    },
  ),
  frameQueueDuration: setting(
    'FRAME_QUEUE_DURATION',
    integer(2000, 100, 10_000),
    'Maximum duration of audio of one stream that waits for decoding. Beyond it the oldest frames are dropped.',
    {
      unit: 'ms',
      protects: 'memory of a shard that is too slow',
      client: '`service_status` `audio_dropped`',
    },
  ),
  audioPace: setting(
    'AUDIO_PACE',
    integer(4, 1, 1000),
    'Seconds of audio that a stream can send per second in the long run. In addition, it can send AUDIO_BACKLOG at once.',
    {
      protects: 'the time of a shard, which all its streams share',
      client: '`service_status` `audio_over_budget`; then `audio_dropped` with the gap',
    },
  ),
  audioBacklog: setting(
    'AUDIO_BACKLOG',
    integer(120_000, 10_000, 86_400_000),
    'Duration of audio that a stream can send at once, in addition to AUDIO_PACE, for example after a time offline.',
    {
      unit: 'ms',
      protects: 'the time of a shard, which all its streams share',
      client: '`service_status` `audio_over_budget`; then `audio_dropped` with the gap',
    },
  ),
  shardPriority: setting(
    'SHARD_PRIORITY',
    integer(5, 0, 19),
    'Amount by which the niceness of a shard is lower than the niceness of its process, so that other threads delay audio less. The setting needs a start as root, or RLIMIT_NICE. Otherwise, or with the portable core, shards get no higher priority.',
  ),
  skipSilence: setting(
    'SKIP_SILENCE',
    flag,
    'Whether Opus frames that are surely silent are not decoded. The beginning of a frame tells its loudness. Audio is decoded again, with the 980 ms before, when it becomes louder. Needs FRAME_QUEUE_DURATION of at least 1960, and the native core.',
  ),
  turnWindows: setting(
    'TURN_WINDOWS',
    integer(16, 1, 64),
    'Number of waiting VAD windows (32 ms of audio each) from which the core processes them.',
  ),
  turnDeadline: setting(
    'TURN_DEADLINE',
    integer(8, 1, 100),
    'Age of the oldest waiting VAD window at which the core processes all waiting windows.',
    {
      unit: 'ms',
    },
  ),
  tick: setting('TICK', integer(600, 50, 5000), 'Interval at which segments are merged, stored and sent.', {
    unit: 'ms',
  }),
} as const satisfies Record<string, Setting>;
