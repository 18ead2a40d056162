import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Frame } from '../../../src/app/wearable/encode.js';
import { connectDatabase, type Sql } from '../../../src/store/client/database.js';
import { speeches } from '../../crowd/people.js';
import { metricOf, untilSettled } from '../../crowd/settled.js';
import { Wanderer } from '../../crowd/wanderer.js';
import { familyOf } from '../../fleet/process-usage.js';
import type { Target } from '../../fleet/target.js';
import type { Row, SuiteOutcome } from '../../report/index.js';
import type { BenchDatabase } from '../database.js';

/** Ms of audio in one message of a wearable. */
const messageDuration = 100;
/** Ms for which the database is stopped. */
const outage = 3000;
/** Maximum ms from the last audio until everything must be stored in its conversation. */
const afterwards = 400_000;
/** Seconds of silence that end a conversation. Wearables reconnect earlier. */
const conversationTimeout = 60;
/**
 * Maximum number of conversations of a user. While the database is stopped, a stored conversation cannot be continued,
 * so a second one may begin.
 */
const mostConversations = 2;
/**
 * Prefix of the ids of streams that jobs open. A job repeats a failed attempt, and only the words of its last attempt
 * are stored.
 */
const ofJob = 'retained/';
/** Matches a word of a stub: name of the stub, number of the stream, number of the word. */
const stubWord = /\b[a-z]+-\d+-\d+\b/g;

/** Access to the words that a stub provider has sent. */
export interface StubJournal {
  journal(): Promise<
    readonly { readonly id: string; readonly finals: readonly { readonly text: string }[] }[]
  >;
}

export interface ProviderSoakOptions {
  readonly wearables: number;
  readonly minutes: number;
  /** Mean seconds between two lost connections of a wearable. */
  readonly disconnect: number;
  readonly database: BenchDatabase;
  readonly dataDir: string;
  readonly stubs: readonly StubJournal[];
  readonly target: () => Promise<Target>;
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface ProviderSoakOutcome extends SuiteOutcome {
  readonly failures: readonly string[];
}

/**
 * Compares the words that the stub providers sent with the stored words.
 * @param told words sent to live streams. All of them must be stored.
 * @param toldLate words sent to jobs. They may be stored, but need not be.
 */
export const judgeWords = (
  told: readonly string[],
  stored: readonly string[],
  toldLate: readonly string[] = [],
): {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly unknown: readonly string[];
} => {
  const counts = new Map<string, number>();
  for (const word of stored) counts.set(word, (counts.get(word) ?? 0) + 1);
  const known = new Set([...told, ...toldLate]);
  return {
    lost: told.filter((word) => !counts.has(word)),
    doubled: [...counts].filter(([, count]) => count > 1).map(([word]) => word),
    unknown: [...counts.keys()].filter((word) => !known.has(word)),
  };
};

/** After a third of the run, stops the database for `outage` ms. After another third, kills the sidecar. */
const disturb = async (options: ProviderSoakOptions, target: Target): Promise<void> => {
  const { database, minutes, signal, tell } = options;
  const third = (minutes * 60_000) / 3;
  await pause(third, undefined, { signal });
  await database.stop();
  tell(`the database is away for ${outage / 1000} s`);
  await pause(outage);
  await database.start();
  await pause(third, undefined, { signal });
  const sidecar = familyOf(target.familyPid!).find(({ command }) => / sidecar\s*$/.test(command));
  if (sidecar === undefined) throw new Error('the sidecar was not found');
  process.kill(sidecar.pid, 'SIGKILL');
  tell('the sidecar is killed');
};

const storedWords = async (
  sql: Sql,
): Promise<{ words: string[]; users: number; conversations: number; most: number }> => {
  const rows = await sql<{ uid: string; id: string; text: string }[]>`
    select uid, conversations.id, text from segments join conversations on conversations.id = conversation_id
    where not deleted`;
  const byUser = new Map<string, Set<string>>();
  for (const { uid, id } of rows) byUser.set(uid, (byUser.get(uid) ?? new Set()).add(id));
  const numbers = [...byUser.values()].map(({ size }) => size);
  return {
    words: rows.flatMap(({ text }) => text.match(stubWord) ?? []),
    users: byUser.size,
    conversations: numbers.reduce((sum, number) => sum + number, 0),
    most: Math.max(0, ...numbers),
  };
};

/** Joins frames into messages of 100 ms of 8-bit audio, the format that costs a client least. */
const messagesOf = (frames: readonly Frame[]): Frame[] => {
  const bytes = Buffer.concat(frames.map((frame) => frame.bytes));
  const length = messageDuration * 8;
  return Array.from({ length: Math.floor(bytes.length / length) }, (_, index) => ({
    bytes: bytes.subarray(index * length, (index + 1) * length),
    duration: messageDuration,
  }));
};

/**
 * Runs wearables that lose their connections and reconnect. During the run, providers fail, the database stops and the
 * sidecar is killed. Tests that each word of a provider is stored once, and that all other audio is finally
 * transcribed.
 */
export const runProviderSoak = async (options: ProviderSoakOptions): Promise<ProviderSoakOutcome> => {
  const { wearables: count, minutes, database, dataDir, stubs, disconnect, signal, tell } = options;
  const different = await speeches(5, 60, 'pcm8', 8000);
  const target = await options.target();
  const metric = (name: string): Promise<number> => metricOf(target.metricsUrl!, name);
  try {
    const ending = new AbortController();
    // The limit on listeners is removed, because every wearable listens to this signal.
    setMaxListeners(0, ending.signal);
    const stop = (): void => ending.abort();
    signal.addEventListener('abort', stop, { once: true });
    const wanderers = Array.from({ length: count }, (_, number) => {
      const stream = {
        url: target.url,
        uid: `soak-${number}`,
        codec: 'pcm8',
        rate: 8000,
        conversationTimeout,
      };
      const frames = messagesOf(different[number % different.length]!.frames);
      return new Wanderer({ stream, frames, disconnect: disconnect * 1000, signal: ending.signal });
    });
    tell(`${count} wearables for ${minutes} min`);
    const running = wanderers.map(async (wanderer, number) => {
      await pause((number * 10_000) / count, undefined, { signal: ending.signal }).catch(() => undefined);
      return wanderer.run();
    });
    await Promise.all([disturb(options, target), pause(minutes * 60_000, undefined, { signal })]);
    ending.abort();
    await Promise.all(running);
    tell('all are silent; what is retained is transcribed');
    const spoken = performance.now();
    const sql = connectDatabase(database.url, { max: 1, name: 'bench' });
    try {
      const folder = join(dataDir, 'audio');
      const left = await untilSettled({
        sql,
        metricsUrl: target.metricsUrl!,
        folder,
        timeout: afterwards,
        signal,
      });
      const journals = await Promise.all(stubs.map((stub) => stub.journal()));
      const wordsOf = (isOfJob: boolean): string[] =>
        journals
          .flat()
          .filter(({ id }) => id.startsWith(ofJob) === isOfJob)
          .flatMap(({ finals }) => finals.flatMap(({ text }) => text.match(stubWord) ?? []));
      const told = wordsOf(false);
      const { words, users, conversations, most } = await storedWords(sql);
      const { lost, doubled, unknown } = judgeWords(told, words, wordsOf(true));
      const sum = (value: (wanderer: Wanderer) => number): number =>
        wanderers.reduce((total, wanderer) => total + value(wanderer), 0);
      const [retained, gone, failovers, dropped, doubledFinals] = await Promise.all(
        [
          'utterances_retained_total',
          'utterances_lost_total',
          'provider_failovers_total',
          'ring_frames_dropped_total',
          'provider_finals_dropped_total',
        ].map(metric),
      );
      const late = (performance.now() - spoken) / 1000;
      tell(
        `${told.length} words told, ${lost.length} not stored, ${doubled.length} stored twice; ${sum(({ opens }) => opens)} streams, ` +
          `${sum(({ failures }) => failures)} failed, ${failovers} failovers, ${sum(({ refusals }) => refusals)} refused; ` +
          `${retained} utterances retained, ${gone} lost; ${dropped} frames dropped, ${doubledFinals} finals told too late; ` +
          `${conversations} conversations of ${users} users`,
      );
      const failures = [
        ...(left === undefined ? [] : [left]),
        ...(lost.length === 0
          ? []
          : [`${lost.length} words are not stored, such as ${lost.slice(0, 3).join(', ')}`]),
        ...(doubled.length === 0
          ? []
          : [`${doubled.length} words are stored twice, such as ${doubled.slice(0, 3).join(', ')}`]),
        ...(unknown.length === 0 ? [] : [`${unknown.length} stored words were never told`]),
        ...(gone === 0 ? [] : [`${gone} utterances were lost`]),
        ...(users === count ? [] : [`${users} of ${count} users have a conversation`]),
        ...(most <= mostConversations ? [] : [`a user has ${most} conversations`]),
      ];
      const row: Row = {
        suite: 'provider-soak',
        contender: 'cochlea',
        mode: 'failing providers',
        stt: 'stubs',
        streams: count,
        words: told.length,
        words_lost: lost.length,
        words_doubled: doubled.length,
        dropped: dropped!,
        retained_utterances: retained!,
        s_until_stored: Number(late.toFixed(1)),
        seconds: minutes * 60,
      };
      return { results: [row], failures, versions: target.versions, selfNoise: [], skipped: [] };
    } finally {
      await sql.end({ timeout: 5 });
    }
  } finally {
    await target.stop();
  }
};
