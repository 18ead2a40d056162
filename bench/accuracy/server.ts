import { setTimeout as pause } from 'node:timers/promises';
import { encodeFrames, type Frame, usualRate, type WearableCodec } from '../../src/app/wearable/encode.js';
import { realClock } from '../../src/app/wearable/pace.js';
import { Wearable } from '../../src/app/wearable/wearable.js';
import type { LiveSegment } from '../../src/wire/index.js';
import { metricOf, pageOf } from '../crowd/settled.js';
import { lastWords, untilLastWords } from '../words/last-words.js';
import { type Listener, retainedSoFar, startListener } from '../words/listener.js';
import { readingOf } from '../words/material.js';
import type { Talk } from './talks.js';

/** Words that one message added to a segment. Their times are seconds, as in the segment. */
export interface AddedText {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** What a client received for a talk. */
export interface Received {
  /** The final text. */
  readonly text: string;
  /** Words that messages added to segments, in order. */
  readonly added: readonly AddedText[];
}

/** The server under test. */
export interface AccuracyServer {
  /**
   * Encodes a talk. Call it before streams begin, because encoding blocks this process for a moment.
   * @returns a function that streams the talk in real time, and waits for its last words.
   */
  prepare(talk: Pick<Talk, 'name' | 'pcm' | 'rate'>): () => Promise<Received>;
  /** Returns the number of utterances that each model has decoded since the start. */
  utterances(): Promise<Readonly<Record<string, number>>>;
  /** Returns the number of utterances that the server stored as audio because its queue was full. */
  retained(): Promise<number>;
  /** Returns how often streams have changed their language. */
  languageChanges(): Promise<number>;
  stop(): Promise<void>;
}

export interface AccuracyServerOptions {
  readonly models: readonly string[];
  readonly codec: WearableCodec;
  /** Value of the query parameter `language`: a code, or `multi`. */
  readonly language: string;
  /** Whether words are shown before they are final. */
  readonly interim: boolean;
}

/**
 * Settings with which the server keeps all speech in its queue. With the default limits, a server on a busy machine
 * would store some speech as audio, and the client would not receive its words.
 */
const patient = {
  TRANSCRIBER_QUEUE: '3600000',
  TRANSCRIBER_USER_QUEUE: '3600000',
  TRANSCRIBER_STREAM_QUEUE: '3600000',
  TRANSCRIBER_TIMEOUT: '600000',
  TRANSCRIBER_LAG_BUDGET: '600000',
  LAG_BUDGET: '10000',
} as const;

/** Timeout of the WebSocket upgrade in ms. It is long because the machine may be busy. */
const connectTimeout = 60_000;

/** Maximum ms to wait for queued speech after a talk, and ms between two checks of the queue. */
const queueWait = { most: 600_000, between: 1000 } as const;

/** Maximum number of sentences that are streamed until the best model decodes one. */
const mostReadings = 20;

/** Returns the words that a message adds to the segments known before it. */
const additionsOf = (
  earlier: ReadonlyMap<string, LiveSegment>,
  segments: readonly LiveSegment[],
): AddedText[] =>
  segments.flatMap(({ id, text, start, end }) => {
    const known = earlier.get(id);
    if (known === undefined) return [{ text, from: start, to: end }];
    if (!text.startsWith(known.text) || text.length === known.text.length) return [];
    return [{ text: text.slice(known.text.length).trim(), from: known.end, to: end }];
  });

/** Returns the number of utterances by model from a metrics page. */
export const utterancesOfPage = (page: string): Record<string, number> =>
  Object.fromEntries(
    [...page.matchAll(/^cochlea_transcriber_model_utterances_total\{model="([^"]+)"\} (\d+)/gm)]
      .map(([, model, count]) => [model!, Number(count)] as const)
      .filter(([, count]) => count > 0),
  );

/** Waits until the transcriber has no queued speech. */
const untilTranscribed = async (metricsUrl: string): Promise<void> => {
  const until = realClock.now() + queueWait.most;
  while (realClock.now() < until && (await metricOf(metricsUrl, 'transcriber_lag_milliseconds')) > 0)
    await pause(queueWait.between);
};

/** Streams a talk, and waits for its last words. */
const speak = async (
  { url, metricsUrl }: Pick<Listener, 'url' | 'metricsUrl'>,
  { name, frames }: { readonly name: string; readonly frames: readonly Frame[] },
  { codec, language }: Pick<AccuracyServerOptions, 'codec' | 'language'>,
): Promise<Received> => {
  const added: AddedText[] = [];
  const earlier = new Map<string, LiveSegment>();
  let last = 0;
  const wearable = await Wearable.connect(
    {
      url,
      uid: name.replaceAll(' ', '-'),
      codec,
      rate: usualRate(codec),
      language,
      conversationTimeout: 120,
      connectTimeout,
    },
    {
      segments: (segments) => {
        added.push(...additionsOf(earlier, segments));
        for (const segment of segments) earlier.set(segment.id, segment);
        last = realClock.now();
      },
    },
  );
  await wearable.waitFor(({ type, status }) => type === 'service_status' && status === 'ready', lastWords);
  await wearable.send(frames);
  await untilTranscribed(metricsUrl);
  const sent = realClock.now();
  await untilLastWords(() => Math.max(last, sent));
  await wearable.close();
  return { text: wearable.transcript.text, added };
};

/** Streams fixture sentences until the best model has decoded an utterance. */
const untilLoaded = async (
  url: string,
  metricsUrl: string,
  options: AccuracyServerOptions,
): Promise<void> => {
  const best = options.models.at(-1)!;
  const reading = await readingOf(5, 0);
  const frames = encodeFrames(reading, options.codec, usualRate(options.codec));
  for (let attempt = 1; attempt <= mostReadings; attempt++) {
    const wearable = await Wearable.connect({
      url,
      uid: 'first',
      codec: options.codec,
      rate: usualRate(options.codec),
      language: options.language,
      connectTimeout,
    });
    await wearable.waitFor(({ type, status }) => type === 'service_status' && status === 'ready', lastWords);
    await wearable.send(frames);
    await pause(3000);
    await wearable.close();
    if ((utterancesOfPage(await pageOf(metricsUrl))[best] ?? 0) > 0) return;
  }
  throw new Error(`${best} decoded nothing: the lines above may say why`);
};

/**
 * Starts the product with speech models. In streams with `multi`, speech may be English or French. Such streams get
 * only final texts without speaker labels, so each message adds the words of one utterance.
 */
export const startAccuracyServer = async (options: AccuracyServerOptions): Promise<AccuracyServer> => {
  const isMulti = options.language === 'multi';
  const { url, metricsUrl, stop } = await startListener({
    interim: options.interim && !isMulti,
    peer: false,
    models: options.models,
    env: { ...patient, ...(isMulti ? { STT_LANGUAGES: 'en,fr', SPEAKER_DIARIZATION: 'off' } : {}) },
  });
  try {
    await untilLoaded(url, metricsUrl, options);
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  return {
    prepare: ({ name, pcm, rate }) => {
      const frames = encodeFrames({ pcm, rate }, options.codec, usualRate(options.codec));
      return () => speak({ url, metricsUrl }, { name, frames }, options);
    },
    utterances: async () => utterancesOfPage(await pageOf(metricsUrl)),
    retained: () => retainedSoFar(metricsUrl),
    languageChanges: () => metricOf(metricsUrl, 'stream_language_changes_total'),
    stop,
  };
};
