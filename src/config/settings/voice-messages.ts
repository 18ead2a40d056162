import { integer, type Setting, setting, text } from './setting.js';

/** Settings of voice messages, with which a client sends speech and waits for the transcript. */
export const voiceMessageSettings = {
  maxVoiceMessages: setting(
    'MAX_VOICE_MESSAGES',
    integer(8, 1, 1000),
    'Maximum number of voice messages that are received or transcribed at once. Other requests have separate places.',
    {
      protects: 'the places of other requests, and the processor',
      client: 'HTTP 503 `overloaded`, or 429 `voice_full`',
    },
  ),
  maxVoiceMessagesPerAddress: setting(
    'MAX_VOICE_MESSAGES_PER_ADDRESS',
    integer(4, 1, 1000),
    'Maximum number of voice messages of one client address that are received or transcribed at once.',
    {
      protects: 'the voice messages of other clients',
      client: 'HTTP 503 `overloaded`',
    },
  ),
  voiceSize: setting(
    'VOICE_SIZE',
    integer(200_000_000, 65_536, 4_294_967_296),
    'Maximum size of a voice message, all its files together.',
    { unit: 'bytes', protects: 'the disk', client: 'HTTP 413 `body_too_large`' },
  ),
  voiceLength: setting(
    'VOICE_LENGTH',
    integer(1_800_000, 1000, 7_200_000),
    'Maximum duration of a voice message in one file.',
    {
      unit: 'ms',
      protects: 'the processor and the disk, from small files with hours of audio',
      client: 'HTTP 400 `stt_invalid_input`',
    },
  ),
  voiceProfileLength: setting(
    'VOICE_PROFILE_LENGTH',
    integer(180_000, 10_000, 600_000),
    "Maximum duration of a recording from which a user's voice is learned.",
    {
      unit: 'ms',
      protects: 'the processor and the memory of the sidecar',
      client: 'HTTP 400 `recording_too_long`',
    },
  ),
  voiceTimeout: setting(
    'VOICE_TIMEOUT',
    integer(300_000, 1000, 3_600_000),
    'Maximum time in which a voice message must arrive and be transcribed.',
    {
      unit: 'ms',
      protects: 'the places of other voice messages',
      client: 'HTTP 504 `stt_timeout`',
    },
  ),
  maxVoiceStreams: setting(
    'MAX_VOICE_STREAMS',
    integer(8, 1, 1000),
    'Maximum number of voice messages at once that are transcribed while they are spoken. Each needs a thread of the sidecar.',
    {
      protects: 'the processor and the memory of the sidecar',
      client: 'HTTP 503 `overloaded`, or close 1013',
    },
  ),
  maxVoiceStreamsPerAddress: setting(
    'MAX_VOICE_STREAMS_PER_ADDRESS',
    integer(4, 1, 1000),
    'Maximum number of voice messages at once of one client address that are transcribed while they are spoken.',
    {
      protects: 'the voice messages of other clients',
      client: 'HTTP 503 `overloaded`',
    },
  ),
  voiceStreamLength: setting(
    'VOICE_STREAM_LENGTH',
    integer(120_000, 1000, 600_000),
    'Maximum duration of a voice message that is transcribed while it is spoken.',
    {
      unit: 'ms',
      protects: 'the places of other voice messages',
      client: 'the words before the limit, then close 1008 `voice_stream_long`',
    },
  ),
  voiceStreamIdle: setting(
    'VOICE_STREAM_IDLE',
    integer(60_000, 1000, 600_000),
    'Time without audio after which an unfinished voice message is closed.',
    {
      unit: 'ms',
      protects: 'the places of other voice messages',
      client: 'close 1001 `idle`',
    },
  ),
  voiceStreamBuffer: setting(
    'VOICE_STREAM_BUFFER',
    integer(4_194_304, 65_536, 67_108_864),
    'Maximum size of the audio of a live voice message that waits in the engine for the sidecar.',
    {
      unit: 'bytes',
      protects: 'the memory of the engine, if the sidecar is slower than the client',
      client: 'close 1013 `overloaded`',
    },
  ),
  ffmpeg: setting(
    'FFMPEG',
    text('ffmpeg'),
    'Name or path of the program that decodes audio formats other than PCM WAV and Ogg Opus; `none` disables it. Without it such files get the answer `config_error`.',
  ),
} as const satisfies Record<string, Setting>;
