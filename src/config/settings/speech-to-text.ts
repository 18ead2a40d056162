import { z } from 'zod';
import { providerNamed, providerNames } from '../../wire/index.js';
import { flagSet, integer, list, type Setting, setting } from './setting.js';

/** Schema of provider names separated by commas, without repetition. */
const providerList = z
  .string()
  .default(providerNames.join(','))
  .transform((value, context) => {
    const given = value.split(',').filter((name) => name.trim() !== '');
    const unknown = given.find((name) => providerNamed(name) === undefined);
    if (unknown !== undefined) {
      const known = providerNames.join(', ');
      context.addIssue({
        code: 'custom',
        message: `${unknown.trim()} is not a provider; known providers are ${known}`,
      });
      return z.NEVER;
    }
    return [...new Set(given.map((name) => providerNamed(name)!))];
  });

/** Schema of model names separated by commas, without repetition; at least one. */
const modelList = list('whisper-tiny.en,whisper-base')
  .transform((names) => [...new Set(names)])
  .refine((names) => names.length > 0, 'names no model');
/** Schema of language codes such as `en` or `pt-BR`, separated by commas. */
const codeList = list('').refine(
  (codes) => codes.every((code) => /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$/.test(code)),
  'must be language codes such as en,fr',
);

/** Settings that choose the provider, and bounds of the local transcriber. */
export const speechToTextSettings = {
  stt: setting(
    'COCHLEA_STT',
    z.enum(['provider', 'discard']).default('provider'),
    'provider: utterances are transcribed. discard: utterances are dropped after the gate, for benchmarks.',
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
    'Time after speech without an answer of a provider after which its connection is closed.',
    { unit: 'ms' },
  ),
  sttFailovers: setting(
    'STT_FAILOVERS',
    integer(0, 0, 5),
    'Number of times that another provider may take over a stream after its provider failed; 0: the stream is closed with 1011.',
  ),
  sttBreakerFailures: setting(
    'STT_BREAKER_FAILURES',
    integer(3, 1, 1000),
    'Consecutive failures in one shard after which a provider is not tried for STT_BREAKER_PAUSE.',
  ),
  sttBreakerPause: setting(
    'STT_BREAKER_PAUSE',
    integer(30_000, 100, 3_600_000),
    'Time for which a failed provider is not tried. Then one stream tries it.',
    { unit: 'ms' },
  ),
  speakerDiarization: setting(
    'SPEAKER_DIARIZATION',
    z.enum(['on', 'off']).default('on'),
    'on: this machine diarizes streams with one channel if their provider does not. Needs the model ge2e (17 MB), which is fetched with the other models, or else with the first speech.',
  ),
  speakerRecognition: setting(
    'SPEAKER_RECOGNITION',
    z.enum(['on', 'off']).default('on'),
    'on: speakers are compared with the enrolled voice of the user and with the voices of people whom the user has named; each user can turn it off. off: no voice is compared, learned or enrolled.',
  ),
  speakerHistory: setting(
    'SPEAKER_HISTORY',
    integer(1200, 200, 20_000),
    'Quarter-seconds of speech, 600 bytes each, that are stored for the final speaker labels of a conversation. Beyond it, neighbours of one voice are joined, then the oldest are dropped.',
    {
      protects: 'memory of the shards, and time of the jobs pool',
      client: 'nothing; the earliest speech keeps its labels',
    },
  ),
  voiceSamples: setting(
    'VOICE_SAMPLES',
    integer(3, 1, 10),
    'Maximum number of conversations from which the voice of a person is stored. The newest are stored.',
    {
      protects: 'the database, and the time in which a shard compares a speaker with known voices',
      client: 'nothing; the oldest voice of that person is removed',
    },
  ),
  voicePeople: setting(
    'VOICE_PEOPLE',
    integer(100, 1, 300),
    'Maximum number of people of one user with stored voices. If it is lowered, stored voices remain, and the newest are compared.',
    {
      protects: 'the database, and the time in which a shard compares a speaker with known voices',
      client: 'the voice of one more person is not learned; names and assignments work as before',
    },
  ),
  interimWords: setting(
    'INTERIM_WORDS',
    flagSet,
    'true: words are shown before their utterance has ended, and corrected if they change.',
  ),
  interimPause: setting(
    'INTERIM_PAUSE',
    integer(200, 64, 2000),
    'Silence after which the speech of an open utterance is transcribed, diarized and shown. It becomes final if no speech follows.',
    { unit: 'ms' },
  ),
  interimStep: setting(
    'INTERIM_STEP',
    integer(800, 300, 10_000),
    'New speech after which an utterance without a pause of INTERIM_PAUSE is transcribed again and diarized.',
    { unit: 'ms' },
  ),
  interimSettled: setting(
    'INTERIM_SETTLED',
    integer(700, 300, 30_000),
    'Audio after a word that suffices to show the word without a second transcription that confirms it.',
    { unit: 'ms' },
  ),
  interimWhole: setting(
    'INTERIM_WHOLE',
    integer(6000, 1000, 30_000),
    'Length up to which a whole utterance is transcribed for provisional words. For a longer utterance only the audio after shown words is transcribed, except at a pause.',
    { unit: 'ms' },
  ),
  transcriberModels: setting(
    'TRANSCRIBER_MODELS',
    modelList,
    'Speech models of the provider local, the cheapest first. The first is required. Another is used as soon as its files are present; "cochlea up" fetches it. "cochlea models list" shows the models.',
  ),
  sttLanguages: setting(
    'STT_LANGUAGES',
    codeList,
    'Languages that users may speak with language=multi, separated by commas, the most usual first; empty: all languages of the installed speech models. The languages in the settings of a user take precedence.',
  ),
  transcriberStart: setting(
    'TRANSCRIBER_START',
    z.enum(['auto', 'join']).default('auto'),
    'auto: an engine or a sidecar starts the transcription service of its data folder if none answers, and "cochlea up" runs it. join: the operator runs "cochlea transcriber".',
  ),
  transcriberConcurrency: setting(
    'TRANSCRIBER_CONCURRENCY',
    integer(0, 0, 64),
    'Maximum decoding processes. Each decodes up to four utterances together and has its own copy of the speech model (whisper-tiny.en: up to 600 MB). 0: number of cores minus one, two on two cores, and at most one for each 2 GiB of memory.',
  ),
  transcriberQueue: setting(
    'TRANSCRIBER_QUEUE',
    integer(600_000, 1000, 3_600_000),
    'Maximum duration of speech of all users in one class that waits for the transcriber. The classes are live speech, voice messages, retained audio and provisional words. Further speech is stored on disk and transcribed later.',
    {
      unit: 'ms',
      protects: 'memory of the transcription service; the user with most waiting speech loses the excess',
      client: 'nothing at once; the words of retained audio do not arrive live',
    },
  ),
  transcriberUserQueue: setting(
    'TRANSCRIBER_USER_QUEUE',
    integer(90_000, 1000, 3_600_000),
    'Maximum duration of speech of one user that waits for the transcriber. Further speech is stored on disk.',
    {
      unit: 'ms',
      protects: 'the turns of other users',
      client: 'nothing at once; the words of retained audio do not arrive live',
    },
  ),
  transcriberStreamQueue: setting(
    'TRANSCRIBER_STREAM_QUEUE',
    integer(60_000, 1000, 3_600_000),
    'Maximum duration of speech of one stream that waits for the transcriber. Further speech is stored on disk.',
    {
      unit: 'ms',
      protects: 'the other streams of the same user',
      client: 'nothing at once; the words of retained audio do not arrive live',
    },
  ),
  transcriberTimeout: setting(
    'TRANSCRIBER_TIMEOUT',
    integer(30_000, 1000, 600_000),
    'Maximum time to decode one utterance. A process that takes longer is killed.',
    {
      unit: 'ms',
      protects: 'the turns of other users',
      client: 'nothing at once; after three tries the utterance is retained on disk',
    },
  ),
} as const satisfies Record<string, Setting>;
