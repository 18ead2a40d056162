import { integer, type Setting, setting, text } from './setting.js';

/** Audio that could not be transcribed: how much is kept, where, and whether it is encrypted. */
export const retainedSettings = {
  retainedSize: setting(
    'RETAINED_AUDIO_SIZE',
    integer(4_294_967_296, 1_048_576, 1_099_511_627_776),
    'Space for audio that could not be transcribed yet, in the folder and the bucket. Above 95 % new streams are refused; nothing is deleted.',
    {
      unit: 'bytes',
      protects: 'the disk',
      client:
        'a new stream HTTP 503 `overloaded`; an open one whose audio has no place `stt_failed` and close 1011',
    },
  ),
  retainedUserSize: setting(
    'RETAINED_AUDIO_USER_SIZE',
    integer(268_435_456, 1_048_576, 1_099_511_627_776),
    'Part of RETAINED_AUDIO_SIZE that one user may take.',
    {
      unit: 'bytes',
      protects: 'admission: one user cannot fill the store',
      client: '`stt_failed` and close 1011 on the stream whose audio has no place',
    },
  ),
  retainedAge: setting(
    'RETAINED_AUDIO_AGE',
    integer(604_800_000, 60_000, 31_536_000_000),
    'For how long retained audio may wait to be transcribed. Beyond it new streams are refused; nothing is deleted.',
    {
      unit: 'ms',
      protects: 'users, whose words nothing seems to transcribe',
      client: 'a new stream HTTP 503 `overloaded`',
    },
  ),
  retainedPace: setting(
    'STT_RETAINED_PACE',
    integer(2, 1, 100),
    'Retained audio and recordings are sent to a provider over the network so many times as fast as they were spoken.',
    { unit: 'times' },
  ),
  retainedStreams: setting(
    'STT_RETAINED_STREAMS',
    integer(4, 1, 1000),
    'Streams at providers over the network that retained audio and recordings may take at once.',
    { unit: 'streams' },
  ),
  retainedBucket: setting(
    'RETAINED_AUDIO_BUCKET',
    text(''),
    'Bucket of an S3-compatible server that retained audio is moved to, as https://HOST/BUCKET/PREFIX. Empty: it stays in the data folder.',
  ),
  retainedRegion: setting('RETAINED_AUDIO_REGION', text('us-east-1'), 'Region of the bucket.'),
  retainedAccessKey: setting('RETAINED_AUDIO_ACCESS_KEY', text(''), 'Access key of the bucket.'),
  retainedSecretKey: setting('RETAINED_AUDIO_SECRET_KEY', text(''), 'Secret key of the bucket.', {
    secret: true,
  }),
  retainedKey: setting(
    'RETAINED_AUDIO_KEY',
    text(''),
    'Key with which retained audio is encrypted (AES-256-GCM): 32 bytes, as 64 hexadecimal digits or in base64. Empty: it is not encrypted.',
    { secret: true },
  ),
  retainedKeyFile: setting(
    'RETAINED_AUDIO_KEY_FILE',
    text(''),
    'File that holds that key, instead of RETAINED_AUDIO_KEY.',
  ),
} as const satisfies Record<string, Setting>;
