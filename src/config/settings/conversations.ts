import { integer, type Setting, setting } from './setting.js';

/** Settings of the leases, the sweep and the spill of conversations. */
export const conversationsSettings = {
  leaseDuration: setting(
    'LEASE_DURATION',
    integer(30_000, 1000, 600_000),
    'Duration of a lease, which covers all conversations of a shard. After this time without a renewal, the sidecar may end these conversations.',
    { unit: 'ms' },
  ),
  sweepInterval: setting(
    'SWEEP_INTERVAL',
    integer(5000, 100, 600_000),
    'Interval at which the sidecar searches for conversations without an engine, retained audio and other waiting work.',
    { unit: 'ms' },
  ),
  spillSize: setting(
    'SPILL_SIZE',
    integer(1_073_741_824, 1_048_576, 1_099_511_627_776),
    'Maximum size of the spill of a shard: the files in which it stores transcripts while the database is unavailable.',
    {
      unit: 'bytes',
      protects: 'the disk, while the database is unavailable',
      client: 'close 1011 `journal_spill_failed`',
    },
  ),
  spillUserSize: setting(
    'SPILL_USER_SIZE',
    integer(33_554_432, 65_536, 1_099_511_627_776),
    'Part of SPILL_SIZE that the words of one user can take during an outage of the database.',
    {
      unit: 'bytes',
      protects: 'the words of other users, also in the stream `cochlea_spill`',
      client: 'close 1011 `journal_spill_failed` for this user',
    },
  ),
} as const satisfies Record<string, Setting>;
