import { z } from 'zod';
import { createApiClient } from '../../client/index.js';
import { deferred } from '../../common/index.js';
import { loadSettings, type Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import {
  createApiKey,
  createConsoleLink,
  createUser,
  developerScopes,
  issueIdToken,
} from '../../identity/index.js';
import { createLogger } from '../../log/index.js';
import { onConnection } from '../../store/client/index.js';
import { consoleAddress, consoleInvitation, engineAddresses, openInBrowser } from '../addresses/index.js';
import { SegmentPrinter } from '../listen/index.js';
import { type FurtherFetch, fetchFurtherModels } from '../models/index.js';
import { exitCodeOf, onEndingSignals } from '../process/index.js';
import { type DemoSpeech, demoSpeech, type LabelledSpeech, wordError } from '../sample/index.js';
import { type Addresses, checkTlsFiles, Supervisor } from '../services/index.js';
import {
  encodeFrames,
  type Frame,
  percentile,
  usualRate,
  utteranceLags,
  Wearable,
  type WearableCodec,
} from '../wearable/index.js';
import { type Credentials, invitation } from './invitation.js';
import { awaitFound, showFound, showTranscript } from './results.js';

/** Number of seconds of silence after which the demo's conversation is saved. */
const conversationTimeout = 10;
/** Timeout in ms for the pipeline, counted from the end of the conversation timeout. */
const pipelineTimeout = 60_000;
const readyTimeout = 30_000;
/**
 * Timeout in ms for the steps after a summary. The demo does not wait for tasks of the speech `novel`, because the
 * novel contains none.
 */
const stepsTimeout = 30_000;

export interface DemoOptions {
  readonly once?: boolean;
  readonly json?: boolean;
  readonly codec: WearableCodec;
  readonly speech: DemoSpeech;
  readonly noise?: number;
  /** Whether to open the console in a browser when the conversation is stored. */
  readonly open?: boolean;
}

const createCredentials = (settings: Settings, databaseUrl: string): Promise<Credentials> =>
  onConnection(databaseUrl, { name: 'demo' }, async (sql) => {
    const { uid } = await createUser(sql, { name: 'Demo' });
    const token = await issueIdToken(sql, settings, uid);
    const { key } = await createApiKey(sql, settings, { uid, name: 'demo', scopes: [...developerScopes] });
    return { uid, token, key };
  });

/** Prints commands to try, and a link to the console. Opens the link if the options say so. */
const invite = async (
  { open }: DemoOptions,
  { base, stream }: ReturnType<typeof engineAddresses>,
  databaseUrl: string,
  credentials: Credentials,
  conversationId: string,
  say: (line: string) => void,
): Promise<void> => {
  const { secret, seconds } = await onConnection(databaseUrl, { name: 'demo' }, (sql) =>
    createConsoleLink(sql, credentials.uid),
  );
  const link = consoleAddress(base, secret);
  say(invitation(base, stream, credentials, conversationId, consoleInvitation(link, seconds)));
  if (open) await openInBrowser(link);
};

interface Streamed {
  readonly wearable: Wearable;
  readonly conversationId: string;
  /** Lag of each utterance in ms; undefined if no segment arrived. */
  readonly lags: readonly (number | undefined)[];
}

/** Streams the speech in real time and stays connected until the conversation is stored. */
const streamSpeech = async (
  stream: string,
  { uid, token }: Credentials,
  codec: WearableCodec,
  frames: readonly Frame[],
  speech: LabelledSpeech,
  say: (line: string) => void,
): Promise<Streamed> => {
  const printer = new SegmentPrinter(say);
  const wearable = await Wearable.connect(
    { url: stream, uid, token, codec, rate: usualRate(codec), conversationTimeout },
    { segments: (segments) => printer.segments(segments), event: (event) => printer.event(event) },
  );
  try {
    await wearable.waitFor(
      ({ type, status }) => type === 'service_status' && status === 'ready',
      readyTimeout,
    );
    const sentAt = await wearable.send(frames);
    if (!wearable.isClosed) {
      say(`-- all sent; silent now, so the conversation closes in ${conversationTimeout} s`);
    }
    const wanted = conversationTimeout * 1000 + pipelineTimeout;
    const created = await wearable.waitFor(({ type }) => type === 'memory_created', wanted);
    if (!created) {
      const why = wearable.isClosed
        ? `closed ${Object.values(await wearable.closed).join(' ')}`
        : `no saved conversation within ${wanted / 1000} s`;
      throw new CochleaError('connection_failed', { url: stream, why });
    }
    const conversationId = z.object({ id: z.string() }).parse(created.memory).id;
    return { wearable, conversationId, lags: utteranceLags(speech.labels, wearable.arrivals, sentAt) };
  } finally {
    await wearable.close();
  }
};

/** Streams the speech while all services run, and checks the result. Resolves with the object for `--json`. */
const demonstrate = async (
  options: DemoOptions,
  settings: Settings,
  addresses: Addresses,
  speech: LabelledSpeech,
  frames: readonly Frame[],
  say: (line: string) => void,
): Promise<Record<string, unknown>> => {
  const clientAddresses = engineAddresses(settings, addresses.port);
  const { base, stream } = clientAddresses;
  const credentials = await createCredentials(settings, addresses.databaseUrl);
  const audio = frames.reduce((sum, { duration }) => sum + duration, 0) / 1000;
  say(`Streaming ${audio.toFixed(1)} s of speech as ${options.codec} to ${stream} (${addresses.core} core)`);
  const { conversationId, lags } = await streamSpeech(
    stream,
    credentials,
    options.codec,
    frames,
    speech,
    say,
  );
  const client = createApiClient({ baseUrl: base, credential: credentials.key });
  const found = await awaitFound(client, conversationId, options.speech === 'novel' ? 0 : stepsTimeout);
  say('');
  showFound(found, say);
  showTranscript(found, say);
  const segments = found.conversation.transcript_segments ?? [];
  const transcribed = segments.map(({ text }) => text).join(' ');
  const { rate, words } = wordError(speech.text, transcribed);
  const lag = percentile(lags, 95);
  say(`\nWord error ${(rate * 100).toFixed(1)} % of ${words} words; lag p95 ${lag?.toFixed(0) ?? '-'} ms`);
  if (!options.once)
    await invite(options, clientAddresses, addresses.databaseUrl, credentials, conversationId, say);
  return {
    conversation_id: conversationId,
    wer: Number(rate.toFixed(4)),
    words,
    segments: segments.length,
    audio_s: Number(audio.toFixed(2)),
    segment_lag_p95_ms: lag === undefined ? null : Math.round(lag),
    // Time since the start of this process, including set-up.
    wall_s: Number((performance.now() / 1000).toFixed(1)),
    core: addresses.core,
    title: found.conversation.structured.title,
    folder: found.conversation.folder_name,
    tasks: found.tasks.length,
    memories: found.memories.length,
  };
};

/**
 * Runs all services and streams a conversation as a wearable does. Then reads the stored conversation and its results
 * over REST, and prints them. Without `once` the services then run until a signal, which closes everything in order.
 * @throws CochleaError if a service does not start or the conversation is not stored.
 */
export const runDemo = async (options: DemoOptions): Promise<void> => {
  // Only warnings are logged by default, so that the transcript is easy to read.
  process.env.LOG_LEVEL ||= 'warn';
  const settings = loadSettings().values;
  await checkTlsFiles(settings, createLogger('supervisor', 'silent'));
  const say = (line: string): void => {
    (options.json ? process.stderr : process.stdout).write(`${line}\n`);
  };
  const supervisor = new Supervisor(settings, createLogger('supervisor', settings));
  const { promise: interruption, resolve: interrupted } = deferred();
  let interruptedWith: number | undefined;
  const release = onEndingSignals(
    (signal) => {
      interruptedWith = exitCodeOf(signal);
      interrupted();
      void supervisor.stop();
    },
    () => supervisor.kill(),
  );
  let further: FurtherFetch | undefined;
  try {
    say('Starting engine, sidecar and database ...');
    const starting = supervisor.start();
    // Encoding takes about as long as starting, so both run at the same time.
    starting.catch(() => undefined);
    const speech = await demoSpeech(options.speech, options.noise);
    const frames = encodeFrames(speech.recording, options.codec, usualRate(options.codec));
    const result = await demonstrate(options, settings, await starting, speech, frames, say);
    if (options.json) process.stdout.write(`${JSON.stringify(result)}\n`);
    if (!options.once) {
      further = await fetchFurtherModels(settings, createLogger('supervisor', settings));
      await interruption;
    }
  } catch (error) {
    // A signal ends the demo's streams. The errors of these streams are not reported.
    if (interruptedWith === undefined) throw error;
    process.exitCode = interruptedWith;
  } finally {
    further?.stop();
    await supervisor.stop();
    release();
  }
};
