import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { normaliseWords, wordError } from '../../../src/app/sample/word-error.js';
import { encodeFrames } from '../../../src/app/wearable/encode.js';
import { percentile } from '../../../src/app/wearable/lag.js';
import { realClock } from '../../../src/app/wearable/pace.js';
import { Wearable } from '../../../src/app/wearable/wearable.js';
import { cpuBetween, readCpu } from '../../fleet/process-usage.js';
import { prepareWhisper } from '../../peers/whisper/prepare.js';
import type { Row, SuiteOutcome } from '../../report/index.js';
import { answersOf } from '../../words/answers.js';
import { lastWords, untilLastWords } from '../../words/last-words.js';
import { type Listener, type ListenerOptions, retainedSoFar, startListener } from '../../words/listener.js';
import { type Pauses, type Reading, readingOf } from '../../words/material.js';
import { lagsOf, type Shown } from '../../words/shown-words.js';
import { lateWords, type WordWait, waitOf, waits } from '../../words/waits.js';
import { wordEndErrors } from '../../words/word-ends.js';

export interface WordsOptions extends ListenerOptions {
  /** Numbers of people who speak at the same time. Each number has one row. */
  readonly streams: readonly number[];
  readonly seconds: number;
  /** Minimum and maximum ms between two utterances of a person. */
  readonly pauses: Pauses;
  readonly tell?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Read {
  readonly lags: readonly number[];
  readonly textLags: readonly number[];
  readonly revisions: number;
  readonly errors: number;
  readonly words: number;
  /** For each word, the waits that delayed it. */
  readonly waits: readonly WordWait[];
}

/** Shares of the slowest words, in percent of all words. For each share, the report names the causes of the lags. */
const slowestShares = [1, 5];

/** Runs one person who speaks. Records the words that a client shows after every message. */
const read = async (
  { url, logFile }: Pick<Listener, 'url' | 'logFile'>,
  uid: string,
  reading: Reading,
): Promise<Read> => {
  const shown: { at: number; words: string[] }[] = [];
  const note = (): void =>
    void shown.push({ at: realClock.now(), words: normaliseWords(wearable.transcript.text) });
  const wearable = await Wearable.connect(
    { url, uid, codec: 'pcm16', rate: reading.rate, conversationTimeout: 120 },
    { segments: note, event: ({ type }) => (type === 'segments_deleted' ? note() : undefined) },
  );
  await wearable.waitFor(({ type, status }) => type === 'service_status' && status === 'ready', lastWords);
  const began = await wearable.send(encodeFrames(reading, 'pcm16', reading.rate));
  await untilLastWords(() => shown.at(-1)?.at ?? began);
  await wearable.close();
  const since = shown.map(({ at, words }): Shown => ({ at: at - began, words }));
  const { words: shownWords, lags, revisions, textLags } = lagsOf(reading.words, since);
  const session = wearable.events.find(({ type }) => type === 'conversation_session');
  const wallOf = Date.now() - realClock.now();
  const log = await readFile(logFile, 'utf8');
  const answers = answersOf(log, String(session?.recording_session_id), began + wallOf);
  const waits = shownWords.map((word) => waitOf(word, answers));
  const text = reading.words.map(({ word }) => word).join(' ');
  const { errors, words } = wordError(text, wearable.transcript.text);
  return { lags, revisions, textLags, errors, words, waits };
};

/** Returns row fields with percentiles of a list. An empty list gives no field. */
const percentiles = (values: readonly number[], fields: Readonly<Record<string, number>>) =>
  values.length === 0
    ? {}
    : Object.fromEntries(
        Object.entries(fields).map(([field, share]) => [field, Math.round(percentile(values, share)!)]),
      );

/** Returns a row for each cause of the lags of the slowest words. @param measured the conditions of the measurement. */
const lateRows = (words: readonly WordWait[], share: number, measured: Omit<Row, 'suite'>): Row[] =>
  lateWords(words, share).map((group) => ({
    ...measured,
    suite: 'late words',
    slowest: `${share} %`,
    wait: waits[group.cause],
    words: group.words,
    p50_wait_ms: Math.round(group.medianWait),
    max_wait_ms: Math.round(group.maxWait),
    p50_lag_ms: Math.round(group.medianLag),
    ...(group.medianUtterance === undefined ? {} : { p50_utterance_ms: Math.round(group.medianUtterance) }),
  }));

/**
 * Runs people who speak almost without pauses, at the same time. Measures the delay of each word on the socket, and the
 * CPU cost.
 */
export const runWords = async (options: WordsOptions): Promise<SuiteOutcome> => {
  const { streams, seconds, interim, pauses, peer, tell, signal } = options;
  if (peer) {
    const prepared = await prepareWhisper();
    if ('skipped' in prepared)
      return {
        results: [],
        selfNoise: [],
        skipped: [{ suite: 'words', what: 'faster-whisper', why: prepared.skipped }],
        versions: {},
      };
  }
  const target = await startListener(options);
  const results: Row[] = [];
  try {
    // The results of the first person do not count, because this run loads the model.
    const first = await read(target, 'first', await readingOf(5, 0));
    if (first.lags.length === 0)
      throw new Error('no words came to the first reader: nothing is transcribed; lines above may say why');
    for (const count of streams) {
      signal?.throwIfAborted();
      tell?.(`${count} at once, ${seconds} s`);
      const readings = await Promise.all(
        Array.from({ length: count }, (_, reader) => readingOf(seconds, reader, pauses)),
      );
      const retained = await retainedSoFar(target.metricsUrl);
      const before = target.pids.map((pid) => readCpu(pid));
      const reads = await Promise.all(
        readings.map(async (reading, reader) => {
          // The people start at different times.
          await pause((reader * 1700) % 11_000);
          return read(target, `reader-${count}-${reader}`, reading);
        }),
      );
      const spent = target.pids.reduce(
        (all, pid, index) => all + cpuBetween(before[index]!, readCpu(pid)),
        0,
      );
      const lags = reads.flatMap((one) => one.lags);
      const textLags = reads.flatMap((one) => one.textLags);
      const sum = (of: (one: Read) => number): number => reads.reduce((total, one) => total + of(one), 0);
      const audio = readings.reduce((total, { pcm, rate }) => total + pcm.length / rate, 0);
      const words = sum((one) => one.words);
      const measured = {
        contender: peer ? 'faster-whisper' : 'cochlea',
        mode: interim ? 'interim words' : 'final words only',
        streams: count,
      };
      results.push({
        suite: 'words',
        ...measured,
        stt: 'local',
        material: `reading, pauses of ${pauses.least} to ${pauses.most} ms`,
        codec: 'pcm16',
        ...percentiles(lags, { p50_word_lag_ms: 50, p95_word_lag_ms: 95, p99_word_lag_ms: 99 }),
        ...percentiles(textLags, { p50_text_lag_ms: 50, p95_text_lag_ms: 95 }),
        word_error: sum((one) => one.errors) / words,
        revisions_per_100_words: (100 * sum((one) => one.revisions)) / words,
        cpu_ms_per_stream_s: spent / audio,
        retained_utterances: (await retainedSoFar(target.metricsUrl)) - retained,
        words,
        seconds: Math.round(audio),
      });
      const everyWord = reads.flatMap((one) => one.waits);
      results.push(...slowestShares.flatMap((share) => lateRows(everyWord, share, measured)));
    }
  } finally {
    await target.stop();
  }
  if (!peer) {
    tell?.('times of words');
    const errors = await wordEndErrors();
    results.push({
      suite: 'words',
      contender: 'cochlea',
      stt: 'local',
      mode: 'times of words',
      material: 'the fixture utterances',
      ...percentiles(errors, { p50_word_end_error_ms: 50, p90_word_end_error_ms: 90 }),
      words: errors.length,
    });
  }
  return { results, selfNoise: [], skipped: [], versions: {} };
};
