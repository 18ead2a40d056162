import { changesOf, type Detect, languageShares } from '../../accuracy/bilingual.js';
import { errorsOfTalk, intervalOf, plainRateOf, rateOf, sumOf } from '../../accuracy/score.js';
import type { AccuracyServer, Received } from '../../accuracy/server.js';
import type { Talk } from '../../accuracy/talks.js';
import type { Row, SuiteOutcome } from '../../report/index.js';

export interface AccuracyOptions {
  readonly talks: readonly Talk[];
  /** Languages, codec and models of the measurement, for the report. */
  readonly measured: Pick<Row, 'material' | 'codec' | 'mode'>;
  /** Number of talks that are streamed at the same time. */
  readonly streams: number;
  readonly open: () => Promise<AccuracyServer>;
  /** Detects the language of texts. If present, the row also has the share of speech in the right language. */
  readonly detect?: Detect | undefined;
  readonly tell?: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** A talk and the text that was received for it. */
export interface ReceivedTalk {
  readonly talk: Talk;
  readonly received: Received;
}

export interface AccuracyOutcome extends SuiteOutcome {
  readonly received: readonly ReceivedTalk[];
}

const rounded = (value: number): number => Math.round(10_000 * value) / 10_000;

/** Streams all talks, several at the same time. When a talk of a stream has ended, the stream begins its next talk. */
const streamAll = async (server: AccuracyServer, options: AccuracyOptions): Promise<ReceivedTalk[]> => {
  const { talks, streams, tell, signal } = options;
  const waiting = talks.map((talk) => ({ talk, speak: server.prepare(talk) }));
  const received = new Map<Talk, Received>();
  const streamNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      signal?.throwIfAborted();
      received.set(next.talk, await next.speak());
      tell?.(`${received.size} of ${talks.length} talks`);
    }
  };
  await Promise.all(Array.from({ length: streams }, streamNext));
  return talks.map((talk) => ({ talk, received: received.get(talk)! }));
};

const languageFields = (received: readonly ReceivedTalk[], changes: number, detect: Detect) => {
  const shares = received.map((one) => languageShares(one.talk, one.received.added, detect));
  const sum = (of: 'right' | 'wrong' | 'unclear'): number => shares.reduce((all, one) => all + one[of], 0);
  const spoken = received.reduce((all, { talk }) => all + changesOf(talk), 0);
  return {
    right_language: rounded(sum('right') / Math.max(1, sum('right') + sum('wrong'))),
    language_changes: changes,
    spoken_language_changes: spoken,
    unclear_language_s: Math.round(sum('unclear')),
  };
};

/** Streams talks to the product, and compares their final texts with the spoken sentences. The report has one row. */
export const runAccuracy = async (options: AccuracyOptions): Promise<AccuracyOutcome> => {
  const { talks, measured, streams, open, detect } = options;
  const server = await open();
  try {
    const before = {
      utterances: await server.utterances(),
      retained: await server.retained(),
      changes: await server.languageChanges(),
    };
    const received = await streamAll(server, options);
    const utterances = Object.entries(await server.utterances()).map(
      ([model, count]) => [model, count - (before.utterances[model] ?? 0)] as const,
    );
    const sentences = received.flatMap(({ talk, received: { text } }) => errorsOfTalk(talk.sentences, text));
    const total = sumOf(sentences);
    const [low, high] = intervalOf(sentences);
    const texts = received.map(({ talk, received: { text } }) => ({
      text: talk.sentences.map((one) => one.text).join(' '),
      received: text,
    }));
    const { words, ...errors } = total;
    const row: Row = {
      suite: 'accuracy',
      contender: 'cochlea',
      ...measured,
      stt: 'local',
      streams,
      word_error: rounded(rateOf(total)),
      word_error_low: rounded(low),
      word_error_high: rounded(high),
      word_error_as_written: rounded(plainRateOf(texts)),
      errors_by_kind: errors,
      utterances_by_model: Object.fromEntries(utterances),
      retained_utterances: (await server.retained()) - before.retained,
      ...(detect === undefined
        ? {}
        : languageFields(received, (await server.languageChanges()) - before.changes, detect)),
      words,
      seconds: Math.round(talks.reduce((sum, { pcm, rate }) => sum + pcm.length / rate, 0)),
    };
    return { results: [row], selfNoise: [], skipped: [], versions: {}, received };
  } finally {
    await server.stop();
  }
};
