import { z } from 'zod';
import { integer, list, type Setting, setting, text } from './setting.js';

/** Which provider transcribes, and bounds of the local transcriber. */
export const speechToTextSettings = {
  stt: setting(
    'COCHLEA_STT',
    z.enum(['provider', 'discard']).default('provider'),
    'provider: utterances are transcribed. discard: they are dropped after the gate, for benchmarks.',
  ),
  sttModels: setting(
    'STT_SERVICE_MODELS',
    list('local'),
    'Providers in order; the first that supports the language is used.',
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
    'Speech of all users that may wait for the transcriber; any more is retained on disk instead.',
    {
      unit: 'ms',
      limit: {
        protects: 'memory of the engine; the user with most speech waiting gives way',
        client: 'nothing at once; the words of retained audio do not arrive live',
        test: 'test/stt/transcriber.test.ts',
      },
    },
  ),
  transcriberUserQueue: setting(
    'TRANSCRIBER_USER_QUEUE',
    integer(90_000, 1000, 3_600_000),
    'Speech of one user that may wait for the transcriber; any more is retained on disk instead.',
    {
      unit: 'ms',
      limit: {
        protects: 'the turns of other users',
        client: 'nothing at once; the words of retained audio do not arrive live',
        test: 'test/stt/transcriber.test.ts',
      },
    },
  ),
  transcriberStreamQueue: setting(
    'TRANSCRIBER_STREAM_QUEUE',
    integer(60_000, 1000, 3_600_000),
    'Speech of one stream that may wait for the transcriber; any more is retained on disk instead.',
    {
      unit: 'ms',
      limit: {
        protects: 'the other streams of the same user',
        client: 'nothing at once; the words of retained audio do not arrive live',
        test: 'test/stt/transcriber.test.ts',
      },
    },
  ),
  transcriberTimeout: setting(
    'TRANSCRIBER_TIMEOUT',
    integer(30_000, 1000, 600_000),
    'Time that decoding one utterance may take; then the transcriber process is killed.',
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
    'Disk space for audio that could not be transcribed. Above 95 % new streams are refused; nothing is deleted.',
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
    'Part of RETAINED_AUDIO_SIZE that one user may take.',
    {
      unit: 'bytes',
      limit: {
        protects: 'admission: one user cannot fill the store',
        client: '`stt_failed` and close 1011 on the stream whose audio has no place',
        test: 'test/stt/retained-store.test.ts',
      },
    },
  ),
} as const satisfies Record<string, Setting>;
