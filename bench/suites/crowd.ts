import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { wordError } from '../../src/app/sample/word-error.js';
import { Wearable } from '../../src/app/wearable/wearable.js';
import { connectDatabase } from '../../src/store/client/database.js';
import { speeches } from '../crowd/people.js';
import { metricOf, transcriptsOf, untilSettled } from '../crowd/settled.js';
import type { Target } from '../fleet/target.js';
import type { Row, SuiteOutcome } from '../report/index.js';

/**
 * Maximum increase of the word error, as a share of the words. The word error of each run is compared with that of the
 * first run.
 */
export const toleratedError = 0.005;
/** Seconds of silence that end a conversation. */
const conversationTimeout = 20;
/** Maximum ms from the last audio until all words must be stored in their conversations. */
const afterwards = 400_000;

export interface CrowdOptions {
  /** Numbers of people who speak at the same time. Each number has its own run. */
  readonly people: readonly number[];
  /** Seconds of speech of each person. */
  readonly seconds: number;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly target: () => Promise<Target>;
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface CrowdOutcome extends SuiteOutcome {
  readonly failures: readonly string[];
}

/** Results of one run. */
interface Found {
  readonly row: Row;
  readonly failures: readonly string[];
}

/** Runs people who all speak at the same time, then reads their transcripts. */
const runOnce = async (
  options: CrowdOptions,
  people: number,
  url: string,
  metricsUrl: string,
): Promise<Found> => {
  const { seconds, databaseUrl, dataDir, signal, tell } = options;
  const sql = connectDatabase(databaseUrl, { max: 1, name: 'bench' });
  try {
    const given = await speeches(people, seconds, 'opus_fs320', 16_000);
    const uidOf = (person: number): string => `crowd-${people}-${person}`;
    const before = await metricOf(metricsUrl, 'utterances_retained_total');
    const began = performance.now();
    tell(`${people} speak for ${seconds} s`);
    await Promise.all(
      given.map(async ({ frames }, person) => {
        const wearable = await Wearable.connect({
          url,
          uid: uidOf(person),
          codec: 'opus_fs320',
          rate: 16_000,
          conversationTimeout,
          connectTimeout: 60_000,
        });
        await wearable.send(frames, 1);
        await wearable.close();
      }),
    );
    const spoken = performance.now();
    tell(`${people} have spoken; what is not transcribed yet follows`);
    const left = await untilSettled({
      sql,
      metricsUrl,
      folder: join(dataDir, 'audio'),
      timeout: afterwards,
      signal,
    });
    const late = (performance.now() - spoken) / 1000;
    const transcripts = await transcriptsOf(sql);
    let [words, errors, several] = [0, 0, 0];
    for (const [person, { text }] of given.entries()) {
      const found = transcripts.get(uidOf(person));
      const error = wordError(text, found?.text ?? '');
      words += error.words;
      errors += error.errors;
      if (found?.conversations !== 1) several++;
    }
    const retained = (await metricOf(metricsUrl, 'utterances_retained_total')) - before;
    const lost = await metricOf(metricsUrl, 'utterances_lost_total');
    const rate = errors / words;
    tell(
      `${people} at once: word error ${(100 * rate).toFixed(2)} % of ${words} words, ${retained} utterances retained, ` +
        `all words stood ${late.toFixed(0)} s after the last was spoken`,
    );
    const row: Row = {
      suite: 'crowd',
      contender: 'cochlea',
      mode: 'all at once',
      stt: 'local',
      streams: people,
      word_error: Number(rate.toFixed(5)),
      s_until_stored: Number(late.toFixed(1)),
      retained_utterances: retained,
      seconds: Math.round((spoken - began) / 1000),
    };
    const failures = [
      ...(left === undefined ? [] : [`${people} people: ${left}`]),
      ...(several === 0 ? [] : [`${several} of ${people} people have not exactly one conversation`]),
      ...(lost === 0 ? [] : [`${lost} utterances were lost`]),
    ];
    return { row, failures };
  } finally {
    await sql.end({ timeout: 5 });
  }
};

/**
 * Runs people who all speak at the same time, more of them than the machine can transcribe in real time. Tests whether
 * all words are finally stored in their conversations. The word error of the first run comes from the model alone.
 */
export const runCrowd = async (options: CrowdOptions): Promise<CrowdOutcome> => {
  const target = await options.target();
  try {
    const found: Found[] = [];
    for (const people of options.people) {
      found.push(await runOnce(options, people, target.url, target.metricsUrl!));
      await pause(1000);
    }
    const [first, ...others] = found;
    const failures = found.flatMap((run) => run.failures);
    for (const { row } of others) {
      const more = row.word_error! - first!.row.word_error!;
      if (more > toleratedError)
        failures.push(
          `word error of ${row.streams} is ${(100 * more).toFixed(2)} points above that of ${first!.row.streams}`,
        );
    }
    return {
      results: found.map(({ row }) => row),
      failures,
      versions: target.versions,
      selfNoise: [],
      skipped: [],
    };
  } finally {
    await target.stop();
  }
};
