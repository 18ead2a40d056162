import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { decodeJwt } from 'jose';
import { loadSettings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { engineAddresses } from '../addresses/index.js';
import { ServiceRelay } from '../custom-stt/index.js';
import {
  CredentialsFile,
  enrolVoice,
  NamedSpeakers,
  SegmentPrinter,
  type SpeakerNames,
  speakerNameArgument,
} from '../listen/index.js';
import { action, onEndingSignals } from '../process/index.js';
import {
  type EncodedAudio,
  readAudioFile,
  silentFrames,
  Wearable,
  type WearableCodec,
  wearableCodecs,
} from '../wearable/index.js';
import { integerArgument, paceArgument, uuidArgument } from './arguments.js';

/** Ms of silence sent after each file. The silence is long enough to end an utterance. */
const pause = 1200;
/** Ms without a new segment after which the command stops waiting for segments. */
const quiet = 3000;
/** Maximum ms that the command waits for segments. */
const longestWait = 60_000;
/** Maximum speed of sending, as a multiple of real time, at which a stream is reopened after a lost connection. */
const fastestAgain = 4;
const noWords =
  'No words have arrived yet. Words of speech are stored later; --wait waits until the conversation is saved.\n';

interface ListenOptions {
  readonly codec?: WearableCodec;
  readonly rate?: number;
  readonly pace: number | 'max';
  readonly url?: string;
  readonly token?: string;
  readonly credentials?: string;
  readonly uid?: string;
  readonly language: string;
  readonly keywords?: string;
  readonly conversationTimeout?: number;
  readonly source?: string;
  readonly conversation?: string;
  readonly stt?: string;
  readonly enrol?: boolean;
  readonly speaker?: SpeakerNames;
  readonly wait?: boolean;
  readonly json?: boolean;
}

const subjectOf = (token: string | undefined): string => {
  try {
    const subject = token && decodeJwt(token).sub;
    if (subject) return subject;
  } catch {
    // The engine may accept a token that this client cannot read. In that case the user must pass the user id as an
    // option.
  }
  throw new CochleaError('command_incomplete', {
    why: 'The user is not known',
    how: 'Give --uid, or a --token that names one.',
  });
};

/** Warns that a file lacks audio. */
const tellIncomplete = (path: string, why: string): void =>
  void process.stderr.write(`${path} is not complete: ${why}\n`);

/** Reads all files. They are sent in one stream, so they must have the same codec, rate and channels. */
const readAll = async (files: readonly string[], options: ListenOptions): Promise<EncodedAudio[]> => {
  const audio: EncodedAudio[] = [];
  for (const path of files) {
    const next = await readAudioFile(path, options);
    const first = audio[0] ?? next;
    if (next.codec !== first.codec || next.rate !== first.rate || next.channels !== first.channels) {
      const why = `it is ${next.codec} at ${next.rate} Hz, the first file ${first.codec} at ${first.rate} Hz`;
      throw new CochleaError('audio_file_unsupported', { path, why });
    }
    if (next.incomplete !== undefined) tellIncomplete(path, next.incomplete);
    audio.push(next);
  }
  return audio;
};

const untilQuiet = async (wearable: Wearable): Promise<void> => {
  const end = performance.now() + longestWait;
  let last = performance.now();
  let seen = wearable.arrivals.length;
  while (!wearable.isClosed && performance.now() < Math.min(end, last + quiet)) {
    await sleep(50);
    if (wearable.arrivals.length > seen) {
      seen = wearable.arrivals.length;
      last = performance.now();
    }
  }
};

/** Enrols the voice in a file without streaming it. */
const enrol = async (files: readonly string[], origin: string, token: string | undefined): Promise<void> => {
  const [file] = files;
  if (file === undefined || files.length > 1)
    throw new CochleaError('bad_request', { why: 'A voice is enrolled from one file' });
  const { speech_seconds: seconds, incomplete } = await enrolVoice(file, origin, token);
  if (incomplete !== undefined) tellIncomplete(file, incomplete);
  process.stdout.write(`enrolled from ${seconds.toFixed(1)} s of speech\n`);
};

/**
 * Returns an id for the clock of the recording. If a stream has a clock, its audio is sent again after a lost
 * connection. Returns undefined if the audio may be faster than the engine accepts, or if a custom service transcribes
 * it.
 */
const clockOf = ({ pace, stt }: ListenOptions): string | undefined =>
  pace === 'max' || pace > fastestAgain || stt !== undefined ? undefined : randomUUID();

const run = async (files: string[], options: ListenOptions): Promise<void> => {
  const settings = loadSettings().values;
  const url = options.url ?? engineAddresses(settings, settings.port).stream;
  const { origin } = new URL(url.replace(/^ws/, 'http'));
  const credentials =
    options.credentials === undefined ? undefined : await CredentialsFile.open(options.credentials, origin);
  const token = credentials ? await credentials.token() : (options.token ?? process.env.COCHLEA_TOKEN);
  if (options.enrol) return enrol(files, origin, token);
  const audio = await readAll(files, options);
  const first = audio[0]!;
  const uid = options.uid ?? subjectOf(token);
  const printer = new SegmentPrinter((line) => process.stdout.write(`${line}\n`));
  const print = (value: unknown): void => {
    process.stdout.write(`${JSON.stringify(value)}\n`);
  };
  const { codec, rate, channels } = first;
  const named = new NamedSpeakers(options.speaker ?? new Map());
  const wearable: Wearable = await Wearable.connect(
    {
      ...options,
      query: {
        ...(options.stt === undefined ? {} : { custom_stt: 'enabled' }),
        ...(options.keywords === undefined ? {} : { keywords: options.keywords }),
      },
      ...{ url, token, uid, codec, rate, channels, renewal: credentials, clock: clockOf(options) },
    },
    {
      segments: (segments) => {
        if (options.json) print(segments);
        else printer.segments(segments);
        for (const text of named.segments(segments)) wearable.sendText(text);
      },
      event: (event) => (options.json ? print(event) : printer.event(event)),
    },
  );
  const release = onEndingSignals(
    () => void wearable.close(),
    () => wearable.cut(),
  );
  try {
    const silence = channels === 1 ? silentFrames(codec, rate, pause) : [];
    const frames = audio.flatMap((file) => [...file.frames, ...silence]);
    const relay = options.stt === undefined ? undefined : await ServiceRelay.open(options.stt, wearable);
    await wearable.send(frames, options.pace, (frame) => relay?.send(frame));
    await relay?.finish();
    if (options.wait) {
      const timeout = ((options.conversationTimeout ?? 120) + 60) * 1000;
      await wearable.waitForMemory(timeout);
    } else {
      await untilQuiet(wearable);
      if (wearable.arrivals.length === 0 && !wearable.isClosed) process.stderr.write(noWords);
    }
    const closedBy = wearable.isClosed ? await wearable.closed : undefined;
    await wearable.close();
    if (closedBy && closedBy.code !== 1000) {
      const { code, reason } = closedBy;
      throw new CochleaError('stream_closed', { code, why: reason === '' ? 'no reason was given' : reason });
    }
  } finally {
    release();
    if (!wearable.isClosed) wearable.cut();
  }
};

export const listenCommand = (): Command =>
  new Command('listen')
    .description('stream files to an engine as a wearable would, and print the transcript')
    .argument('<files...>', 'WAV, Ogg Opus (sent as it is), or raw PCM with --codec and --rate')
    .addOption(new Option('--codec <codec>', 'codec on the wire; default: opus').choices([...wearableCodecs]))
    .option('--rate <hz>', 'rate on the wire; 8000 for pcm8, else 16000', integerArgument(4000, 192_000))
    .option('--pace <n>', 'multiple of real time, or "max"', paceArgument, 1)
    .option('--url <address>', 'address of the engine; default: HOST and PORT')
    .option('--token <token>', 'ID token; default: COCHLEA_TOKEN')
    .option(
      '--credentials <file>',
      'file with an answer of /v1/auth/token, instead of a token; tokens are renewed during the stream and stored in the file',
    )
    .option('--uid <uid>', "user id; default: the token's subject")
    .option('--language <code>', 'language spoken: a code such as fr, or multi', 'en')
    .option('--keywords <words>', 'names and terms that may be said, separated by commas')
    .option(
      '--conversation-timeout <s>',
      'seconds of silence that end the conversation',
      integerArgument(-1, 1_000_000),
    )
    .option('--source <name>', 'source of the audio, for example phone')
    .option(
      '--conversation <uuid>',
      'proposed conversation id: that conversation is continued or begun',
      uuidArgument,
    )
    .option(
      '--stt <address>',
      'custom transcription service (ws://...): it receives the audio, and its words are relayed to the engine, as the application does',
    )
    .option('--enrol', 'enrol the voice in one file instead; streams then recognise the user')
    .option(
      '--speaker <number=name>',
      'name a speaker after the first words of that speaker: a name, or user; repeatable',
      speakerNameArgument,
    )
    .option('--wait', 'wait until the conversation is saved')
    .option('--json', 'print every message as one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea listen talk.wav --token "$TOKEN"
  $ cochlea listen a.wav b.wav --codec opus_fs320 --conversation-timeout 10 --wait
  $ cochlea listen call.raw --codec pcm8 --rate 8000 --pace 4 --json
  $ cochlea listen talk.ogg --url wss://engine.example.org --token "$TOKEN"
  $ cochlea listen day.wav --credentials signed-in.json
  $ cochlea listen my-voice.wav --enrol --token "$TOKEN"
  $ cochlea listen talk.wav --token "$TOKEN" --speaker 0=user --speaker 1=Ann
  $ cochlea listen talk.wav --token "$TOKEN" --keywords "Nadia Okafor,Kubernetes"
  $ cochlea listen talk.wav --token "$TOKEN" --stt ws://127.0.0.1:8090`,
    )
    .action(action(run));
