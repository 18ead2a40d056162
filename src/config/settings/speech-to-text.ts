import { z } from 'zod';
import { providerNamed, providerNames } from '../../wire/index.js';
import { flagSet, integer, type Setting, setting, text } from './setting.js';

/** Names of providers separated by commas, each once. */
const providerList = z
  .string()
  .default(providerNames.join(','))
  .transform((value, context) => {
    const given = value.split(',').filter((name) => name.trim() !== '');
    const unknown = given.find((name) => providerNamed(name) === undefined);
    if (unknown !== undefined) {
      const known = providerNames.join(', ');
      context.addIssue({ code: 'custom', message: `${unknown.trim()} is no provider; known are ${known}` });
      return z.NEVER;
    }
    return [...new Set(given.map((name) => providerNamed(name)!))];
  });

/** Which provider transcribes, and bounds of the local transcriber. */
export const speechToTextSettings = {
  stt: setting(
    'COCHLEA_STT',
    z.enum(['provider', 'discard']).default('provider'),
    'provider: utterances are transcribed. discard: they are dropped after the gate, for benchmarks.',
  ),
  sttModels: setting(
    'STT_SERVICE_MODELS',
    providerList,
    `Providers in order: ${providerNames.join(', ')}. The first that is set up and supports the language is used.`,
  ),
  sttConnectTimeout: setting(
    'STT_CONNECT_TIMEOUT',
    integer(10_000, 100, 120_000),
    'Time that an attempt to connect a stream to a provider may take.',
    { unit: 'ms' },
  ),
  sttAnswerTimeout: setting(
    'STT_ANSWER_TIMEOUT',
    integer(30_000, 1000, 600_000),
    'A provider that takes audio and tells nothing for so long after speech is given up.',
    { unit: 'ms' },
  ),
  sttFailovers: setting(
    'STT_FAILOVERS',
    integer(0, 0, 5),
    'Times that another provider may take a stream over when its own dies; 0: the stream is closed 1011.',
  ),
  sttBreakerFailures: setting(
    'STT_BREAKER_FAILURES',
    integer(3, 1, 1000),
    'Failures one after the other, in one shard, after which a provider is not tried for STT_BREAKER_PAUSE.',
  ),
  sttBreakerPause: setting(
    'STT_BREAKER_PAUSE',
    integer(30_000, 100, 3_600_000),
    'Time for which a provider that failed is not tried; then one stream tries it.',
    { unit: 'ms' },
  ),
  speakerDiarization: setting(
    'SPEAKER_DIARIZATION',
    z.enum(['on', 'off']).default('on'),
    'on: the voices of a stream on one channel are told apart on this machine, where its provider does not. Needs the model ge2e (17 MB), which is fetched with the others, or with the first speech where it could not be.',
  ),
  speakerRecognition: setting(
    'SPEAKER_RECOGNITION',
    z.enum(['on', 'off']).default('on'),
    'on: speakers are compared with the enrolled voice of the user and with the voices of people whom the user has named; each user can turn it off. off: no voice is compared, learned or enrolled.',
  ),
  speakerHistory: setting(
    'SPEAKER_HISTORY',
    integer(1200, 200, 20_000),
    'Quarter-seconds of speech that a conversation keeps for its final labels, 600 bytes each; of a longer one neighbours of one voice are kept as one, then the oldest are left out.',
    {
      protects: 'memory of the shards, and time of the jobs pool',
      client: 'nothing; what was said first keeps the labels that it has',
    },
  ),
  voiceSamples: setting(
    'VOICE_SAMPLES',
    integer(3, 1, 10),
    'Voices that are kept of one person, each learned in another conversation; the newest stay.',
    {
      protects: 'the database, and the time in which a shard compares a speaker with known voices',
      client: 'nothing; the oldest voice of that person is removed',
    },
  ),
  voicePeople: setting(
    'VOICE_PEOPLE',
    integer(100, 1, 300),
    'People of one user whose voices are kept. Where it is lowered, voices that are there stay, and the newest are compared.',
    {
      protects: 'the database, and the time in which a shard compares a speaker with known voices',
      client: 'the voice of one more person is not learned; names and assignments work as before',
    },
  ),
  interimWords: setting(
    'INTERIM_WORDS',
    flagSet,
    'Words are shown before their utterance has ended, and corrected where they change.',
  ),
  interimPause: setting(
    'INTERIM_PAUSE',
    integer(200, 64, 2000),
    'Silence after which what was said of an utterance is transcribed, shown, and taken as final when nothing follows; its voices are told apart then, too.',
    { unit: 'ms' },
  ),
  interimStep: setting(
    'INTERIM_STEP',
    integer(1000, 300, 10_000),
    'New speech after which an utterance without such a pause is transcribed again, and its voices are told apart.',
    { unit: 'ms' },
  ),
  interimSettled: setting(
    'INTERIM_SETTLED',
    integer(1000, 300, 30_000),
    'Audio behind a word with which it is shown without a second transcription that has it, too.',
    { unit: 'ms' },
  ),
  interimWhole: setting(
    'INTERIM_WHOLE',
    integer(6000, 1000, 30_000),
    'Utterance up to which all of it is transcribed for provisional words; of a longer one only what is behind words that are shown, except where it pauses.',
    { unit: 'ms' },
  ),
  sttModel: setting(
    'STT_LOCAL_MODEL',
    text('whisper-tiny.en'),
    'Model of the local provider, by its name in the manifest.',
  ),
  transcriberStart: setting(
    'TRANSCRIBER_START',
    z.enum(['auto', 'join']).default('auto'),
    'auto: an engine or a sidecar starts the transcription service of its data folder where none answers, and "cochlea up" runs it. join: something else runs "cochlea transcriber".',
  ),
  transcriberConcurrency: setting(
    'TRANSCRIBER_CONCURRENCY',
    integer(0, 0, 64),
    'Most processes that decode, each up to four utterances together and each with the speech model in memory of its own (up to 600 MB). 0: one per core but one, on two cores two, and at most one for each 2 GiB of memory.',
  ),
  transcriberQueue: setting(
    'TRANSCRIBER_QUEUE',
    integer(120_000, 1000, 3_600_000),
    'Speech of all users and of one class (live, voice messages, retained, provisional) that may wait for the transcriber; any more is retained on disk instead.',
    {
      unit: 'ms',
      protects: 'memory of the transcription service; the user with most speech waiting gives way',
      client: 'nothing at once; the words of retained audio do not arrive live',
    },
  ),
  transcriberUserQueue: setting(
    'TRANSCRIBER_USER_QUEUE',
    integer(90_000, 1000, 3_600_000),
    'Speech of one user that may wait for the transcriber; any more is retained on disk instead.',
    {
      unit: 'ms',
      protects: 'the turns of other users',
      client: 'nothing at once; the words of retained audio do not arrive live',
    },
  ),
  transcriberStreamQueue: setting(
    'TRANSCRIBER_STREAM_QUEUE',
    integer(60_000, 1000, 3_600_000),
    'Speech of one stream that may wait for the transcriber; any more is retained on disk instead.',
    {
      unit: 'ms',
      protects: 'the other streams of the same user',
      client: 'nothing at once; the words of retained audio do not arrive live',
    },
  ),
  transcriberTimeout: setting(
    'TRANSCRIBER_TIMEOUT',
    integer(30_000, 1000, 600_000),
    'Time that decoding one utterance may take; then the transcriber process is killed.',
    {
      unit: 'ms',
      protects: 'the turns of other users',
      client: 'nothing at once; after three tries the utterance is retained on disk',
    },
  ),
} as const satisfies Record<string, Setting>;
