import { integer, type Setting, setting } from './setting.js';

/** Settings for offline recordings of wearables, which clients upload. */
export const recordingsSettings = {
  maxUploads: setting(
    'MAX_UPLOADS',
    integer(8, 1, 1000),
    'Maximum number of uploads of recordings that are received at once. Other requests have separate places.',
    {
      protects: 'the places of other requests',
      client: 'HTTP 503 `overloaded`',
    },
  ),
  maxUploadsPerAddress: setting(
    'MAX_UPLOADS_PER_ADDRESS',
    integer(4, 1, 1000),
    'Maximum number of uploads of one client address that are received at once.',
    {
      protects: 'the uploads of other clients',
      client: 'HTTP 503 `overloaded`',
    },
  ),
  uploadRate: setting(
    'UPLOAD_RATE',
    integer(65_536, 1, 104_857_600),
    'Average rate below which an upload can be ended, after its first 10 s. It is ended only if MAX_UPLOADS is reached and another upload arrives.',
    {
      unit: 'bytes/s',
      protects: 'the uploads of other clients',
      client: 'HTTP 408 `body_too_slow`',
    },
  ),
  uploadSize: setting(
    'UPLOAD_SIZE',
    integer(209_715_200, 65_536, 4_294_967_296),
    'Maximum size of an upload of recordings, all its files together.',
    {
      unit: 'bytes',
      protects: 'the disk',
      client: 'HTTP 413 `body_too_large`',
    },
  ),
  uploadTimeout: setting(
    'UPLOAD_TIMEOUT',
    integer(600_000, 1000, 3_600_000),
    'Maximum time in which an upload must arrive completely.',
    {
      unit: 'ms',
      protects: 'the places of other uploads',
      client: 'HTTP 504 `request_timeout`',
    },
  ),
  recordingsSize: setting(
    'RECORDINGS_SIZE',
    integer(4_294_967_296, 1_048_576, 1_099_511_627_776),
    'Maximum size of all uploaded recordings that are not transcribed yet.',
    { unit: 'bytes', protects: 'the disk', client: 'HTTP 429 `recordings_full`' },
  ),
  recordingsUserSize: setting(
    'RECORDINGS_USER_SIZE',
    integer(536_870_912, 1_048_576, 1_099_511_627_776),
    'Part of RECORDINGS_SIZE that the recordings of one user can take. Every file counts as 64 KiB at least.',
    {
      unit: 'bytes',
      protects: 'the recordings of other users',
      client: 'HTTP 429 `recordings_full`',
    },
  ),
  recordingLength: setting(
    'RECORDING_LENGTH',
    integer(14_400_000, 60_000, 86_400_000),
    'Maximum duration of a recording in one file, by the duration of its frames.',
    {
      unit: 'ms',
      protects: 'the processor, from small files with days of audio',
      client: 'HTTP 400 `recording_too_long`',
    },
  ),
} as const satisfies Record<string, Setting>;
