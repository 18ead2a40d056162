import { integer, type Setting, setting, text } from './setting.js';

/** Settings of retained audio that is not transcribed yet: amount, pace and encryption. */
export const retainedSettings = {
  retainedSize: setting(
    'RETAINED_AUDIO_SIZE',
    integer(4_294_967_296, 1_048_576, 1_099_511_627_776),
    'Maximum size of all audio that could not be transcribed yet, in the folder and the bucket. Above 95 % of this size, new streams are refused. No audio is deleted.',
    {
      unit: 'bytes',
      protects: 'the disk',
      client:
        'a new stream gets HTTP 503 `overloaded`; an open stream whose audio does not fit gets `stt_failed` and close 1011',
    },
  ),
  retainedUserSize: setting(
    'RETAINED_AUDIO_USER_SIZE',
    integer(268_435_456, 1_048_576, 1_099_511_627_776),
    'Part of RETAINED_AUDIO_SIZE that the audio of one user can take.',
    {
      unit: 'bytes',
      protects: 'new streams of other users, which are refused when the space is full',
      client: '`stt_failed` and close 1011 on the stream if its audio does not fit',
    },
  ),
  retainedAge: setting(
    'RETAINED_AUDIO_AGE',
    integer(604_800_000, 60_000, 31_536_000_000),
    'Maximum time for which retained audio waits for transcription. If it is exceeded, new streams are refused; no audio is deleted.',
    {
      unit: 'ms',
      protects: 'users, from recording speech that the deployment does not transcribe',
      client: 'a new stream gets HTTP 503 `overloaded`',
    },
  ),
  retainedPace: setting(
    'STT_RETAINED_PACE',
    integer(2, 1, 100),
    'Multiple of real time at which retained audio and recordings are sent to a provider over the network.',
    { unit: 'times' },
  ),
  retainedStreams: setting(
    'STT_RETAINED_STREAMS',
    integer(4, 1, 1000),
    'Maximum number of streams to providers over the network that retained audio and recordings use at once.',
    { unit: 'streams' },
  ),
  retainedKey: setting(
    'RETAINED_AUDIO_KEY',
    text(''),
    'Key that encrypts retained audio, images and recordings (AES-256-GCM): 32 bytes, as 64 hexadecimal digits or in base64. Empty: no encryption.',
    { secret: true },
  ),
  retainedKeyFile: setting(
    'RETAINED_AUDIO_KEY_FILE',
    text(''),
    'File with the encryption key, instead of RETAINED_AUDIO_KEY.',
  ),
} as const satisfies Record<string, Setting>;
