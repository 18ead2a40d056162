import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../../../src/app/wearable/lag.js';
import { connectDatabase, type Sql } from '../../../src/store/client/database.js';
import { metricOf, untilSettled } from '../../crowd/settled.js';
import type { Target } from '../../fleet/target.js';
import { AnsweredUtterances, answeredTwice } from '../../languages/gate.js';
import { type Judged, judgeStreams, type Span, type StreamRecord } from '../../languages/judge.js';
import { type Kill, killPlan } from '../../languages/kills.js';
import { type Loop, repeated } from '../../languages/loop.js';
import { type Growth, MemoryReadings } from '../../languages/memory.js';
import { parts, processesOf } from '../../languages/processes.js';
import { faultLines, languageRows, leakLines, memoryRows } from '../../languages/report.js';
import { retainedJobs, storedSpeech } from '../../languages/stored.js';
import { type Worn, wear } from '../../languages/wearer.js';
import type { Row, Series, SuiteOutcome } from '../../report/index.js';

/**
 * Maximum ms from the last audio until everything must be stored. If the run itself lasts longer, its length is the
 * maximum. Retained audio waits for the end of its conversation.
 */
const afterwards = 900_000;
/** Ms between two readings of memory. */
const readingEvery = 5000;
/**
 * Minimum minutes of a run for a judgement on the growth of memory. In a shorter run, heaps have not reached their
 * size.
 */
const judgedFrom = 30;
/** Seconds within which the streams start. */
const starting = 10;

/** A stream of the suite, and its result. */
export interface Speaking {
  readonly uid: string;
  readonly language: string;
  readonly loop: Loop;
}

export interface LanguageSoakOptions {
  readonly speakers: readonly Speaking[];
  readonly minutes: number;
  /** Mean seconds between two kills of a decoder. */
  readonly killsEvery: number;
  /** How many times the transcription service is killed. */
  readonly serviceKills: number;
  readonly seed: number;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly target: () => Promise<Target>;
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface LanguageSoakOutcome extends SuiteOutcome {
  readonly failures: readonly string[];
}

/**
 * Kills the processes of a plan. @returns the number of killed processes by kind, and the time in seconds at which the
 * service was killed last.
 */
const killAll = async (
  plan: readonly Kill[],
  supervisor: number,
  began: number,
  { tell, signal }: Pick<LanguageSoakOptions, 'tell' | 'signal'>,
): Promise<{ decoders: number; services: number; lastService: number }> => {
  const killed = { decoders: 0, services: 0, lastService: 0 };
  for (const { at, what, choice } of plan) {
    await pause(Math.max(0, began + at * 1000 - performance.now()), undefined, { signal });
    const { decoder, service } = processesOf(supervisor);
    const pids = what === 'decoder' ? decoder : service;
    const pid = pids[Math.floor(choice * pids.length)];
    if (pid === undefined) continue;
    process.kill(pid, 'SIGKILL');
    if (what === 'decoder') killed.decoders++;
    else {
      killed.services++;
      killed.lastService = at;
    }
    tell(`${at.toFixed(0)} s: killed a ${what} (${pid})`);
  }
  return killed;
};

/** Reads the memory of the processes until the signal is aborted. */
const watch = async (
  memory: MemoryReadings,
  supervisor: number,
  began: number,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    memory.read((performance.now() - began) / 1000, processesOf(supervisor));
    await pause(readingEvery, undefined, { signal }).catch(() => undefined);
  }
};

const answeredIn = async (logFile: string): Promise<AnsweredUtterances> => {
  const found = new AnsweredUtterances();
  for await (const line of createInterface({ input: createReadStream(logFile) })) found.take(line);
  return found;
};

/** Compares all stored segments with all sentences that were sent. */
const judge = async (
  sql: Sql,
  speakers: readonly Speaking[],
  worn: readonly Worn[],
  answered: AnsweredUtterances,
): Promise<Judged> => {
  const stored = await storedSpeech(sql);
  return judgeStreams(
    speakers.map(({ uid, language, loop }, index): StreamRecord => {
      const { stream, began, sent } = worn[index]!;
      const { segments = [], conversations = [] } = stored.get(uid) ?? {};
      const late = conversations.flatMap(({ id }) => answered.lateOf(id));
      const fromBegin = <One extends Span>(one: One): One => ({
        ...one,
        from: one.from - began,
        to: one.to - began,
      });
      return {
        name: uid,
        language,
        sent: repeated(loop, sent),
        stored: segments.map(fromBegin),
        answered: [...answered.of(stream), ...late.map(fromBegin)],
        conversations: conversations.map((one) => one.language),
      };
    }),
  );
};

const seriesOf = (memory: MemoryReadings): Series[] =>
  parts.map((part) => ({
    suite: 'language-soak',
    contender: 'cochlea',
    name: `rss_kb of ${part}`,
    unit: 'KB',
    x: 'time_s',
    points: memory.pointsOf(part).map(([at, size]): [number, number] => [at, size]),
  }));

/** The speech of a run, and what happened to the server during it. */
interface Spoken {
  readonly worn: readonly Worn[];
  readonly killed: Awaited<ReturnType<typeof killAll>>;
  readonly memory: MemoryReadings;
}

const speak = async (options: LanguageSoakOptions, target: Target): Promise<Spoken> => {
  const { speakers, minutes, killsEvery, serviceKills, seed, signal } = options;
  const seconds = minutes * 60;
  const memory = new MemoryReadings();
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const began = performance.now();
  const watching = watch(memory, target.familyPid!, began, until);
  try {
    const plan = killPlan({ seconds, every: killsEvery, services: serviceKills, seed });
    const [killed, ...worn] = await Promise.all([
      killAll(plan, target.familyPid!, began, options),
      ...speakers.map(async ({ uid, language, loop }, index) => {
        await pause((index * starting * 1000) / speakers.length, undefined, { signal });
        const rounds = Math.max(1, Math.round((seconds * 1000) / loop.duration));
        return wear({ url: target.url, uid, language, loop, rounds, signal });
      }),
    ]);
    return { worn, killed, memory };
  } finally {
    over.abort();
    await watching;
  }
};

/** Returns the reasons why a run failed. The growth of memory is judged elsewhere. */
const failuresOf = (found: {
  readonly judged: Judged;
  readonly worn: readonly Worn[];
  readonly speakers: readonly Speaking[];
  readonly left: string | undefined;
  readonly jobs: Readonly<Record<string, number>>;
  readonly counts: Readonly<
    Record<'total' | 'answered' | 'retained' | 'late' | 'lost' | 'twice' | 'dropped', number>
  >;
}): string[] => {
  const { judged, worn, speakers, left, jobs, counts } = found;
  const closed = worn.flatMap(({ closed: how }, index) =>
    how === undefined ? [] : [`${speakers[index]!.uid}: ${how}`],
  );
  const unanswered = counts.total - counts.answered - counts.retained;
  return [
    ...faultLines(judged),
    ...(left === undefined ? [] : [left]),
    ...(closed.length === 0 ? [] : [`${closed.length} streams were closed by the server: ${closed[0]}`]),
    ...(unanswered === 0
      ? []
      : [`${counts.total} utterances, but ${counts.answered} final texts and ${counts.retained} retained`]),
    ...(counts.retained === counts.late
      ? []
      : [`${counts.retained} utterances were retained, but ${counts.late} transcribed later`]),
    ...(counts.twice === 0 ? [] : [`${counts.twice} utterances share audio with the previous one`]),
    ...(counts.lost === 0 ? [] : [`${counts.lost} utterances were lost`]),
    ...(counts.dropped === 0 ? [] : [`${counts.dropped} frames were dropped`]),
    ...(jobs.dead === undefined ? [] : [`${jobs.dead} retained utterances were given up`]),
  ];
};

/**
 * Runs speakers of several languages in real time, while decoders and the transcription service are killed. Tests that
 * each sentence is stored once, in its own stream, by a model of its language. Also tests that memory does not grow.
 */
export const runLanguageSoak = async (options: LanguageSoakOptions): Promise<LanguageSoakOutcome> => {
  const { speakers, minutes, databaseUrl, dataDir, tell, signal } = options;
  const target = await options.target();
  const sql = connectDatabase(databaseUrl, { max: 1, name: 'bench' });
  try {
    tell(`${speakers.length} speakers for ${minutes} min`);
    const { worn, killed, memory } = await speak(options, target);
    tell('all have spoken; what is not transcribed yet follows');
    const spoken = performance.now();
    const metricsUrl = target.metricsUrl!;
    const folder = join(dataDir, 'audio');
    const timeout = Math.max(afterwards, minutes * 60_000);
    const left = await untilSettled({ sql, metricsUrl, folder, timeout, signal });
    const late = (performance.now() - spoken) / 1000;
    const answered = await answeredIn(target.logFile!);
    const judged = await judge(sql, speakers, worn, answered);
    const jobs = await retainedJobs(sql);
    const [total, retained, lost, dropped, restarts] = (await Promise.all(
      [
        'utterances_total',
        'utterances_retained_total',
        'utterances_lost_total',
        'ring_frames_dropped_total',
        'transcriber_restarts_total',
      ].map((name) => metricOf(metricsUrl, name)),
    )) as [number, number, number, number, number];
    const twice = worn.reduce((sum, { stream }) => sum + answeredTwice(answered.of(stream)), 0);
    const counts = {
      total,
      answered: answered.count,
      late: answered.lateCount,
      retained,
      lost,
      twice,
      dropped,
    };
    const growths = parts.flatMap<Growth>(
      (part) => memory.growthOf(part, part === 'service' ? killed.lastService : 0) ?? [],
    );
    const { wordsLost, wordsDoubled, unheard, compared, faults } = judged;
    const words = compared.reduce((sum, { expected }) => sum + expected.split(/\s+/).length, 0);
    tell(
      `${total} utterances: ${answered.count} final texts, ${retained} retained (${JSON.stringify(jobs)}); killed ${killed.decoders} decoders ` +
        `and ${killed.services} services, ${restarts} restarts; ${unheard} sentences without text from the model`,
    );
    const failures = [
      ...failuresOf({ judged, worn, speakers, left, jobs, counts }),
      ...(minutes >= judgedFrom ? leakLines(growths) : []),
    ];
    const shared = { contender: 'cochlea', stt: 'local', codec: 'opus_fs320' } as const;
    const row: Row = {
      ...shared,
      suite: 'language-soak',
      mode: 'killed decoders',
      streams: speakers.length,
      utterances: total,
      words,
      words_lost: wordsLost,
      words_doubled: wordsDoubled,
      texts_misplaced: faults.foreign.length + faults.model.length + faults.language.length,
      kills: killed.decoders + killed.services,
      retained_utterances: retained,
      p50_segment_lag_ms: Math.round(percentile(answered.lags, 50) ?? 0),
      p95_segment_lag_ms: Math.round(percentile(answered.lags, 95) ?? 0),
      s_until_stored: Number(late.toFixed(1)),
      seconds: minutes * 60,
    };
    const perLanguage = new Map<string, number>();
    for (const { language } of speakers) perLanguage.set(language, (perLanguage.get(language) ?? 0) + 1);
    return {
      results: [row, ...languageRows(judged, perLanguage, shared), ...memoryRows(growths, shared)],
      series: seriesOf(memory),
      failures,
      versions: target.versions,
      selfNoise: [],
      skipped: [],
    };
  } finally {
    await sql.end({ timeout: 5 });
    await target.stop();
  }
};
