import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../../src/app/wearable/lag.js';
import { onConnection } from '../../src/store/client/index.js';
import { type Fault, strike } from '../kills/faults.js';
import { faultMix } from '../kills/mix.js';
import { recoveriesByKind, recoveriesOf } from '../kills/recoveries.js';
import { makeSpeakers, startCrowd } from '../kills/speakers.js';
import { countSummaries, readSummaries, type Summaries } from '../kills/summaries.js';
import { openTokenFleet } from '../kills/token-fleet.js';
import type { LaptopFleet } from '../laptop/index.js';
import { judgeTokens, type Verdict } from '../oracle/judge.js';
import type { ResendRule } from '../oracle/resend-rules.js';
import { storedTokens } from '../oracle/stored-tokens.js';
import type { TokenSpeaker } from '../oracle/token-speaker.js';
import type { Row, SuiteOutcome } from '../report/index.js';
import { seeded } from '../seeded.js';

/** Ms in which all wearables connect. */
const ramp = 10_000;
/** Shortest and longest pause in ms between two faults. */
const pauses = [3000, 6000] as const;
/** Maximum ms to wait for the last words. The wait for the last summaries, which follows, has the same maximum. */
const afterwards = 180_000;

export interface FleetKillOptions {
  readonly kills: number;
  readonly streams: number;
  readonly engines: number;
  readonly seed: number;
  /** Settings for all parts of the product. */
  readonly settings: Readonly<Record<string, string>>;
  readonly rule: (uid: string) => ResendRule;
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface FleetKillOutcome extends SuiteOutcome {
  readonly failures: readonly string[];
}

/** Waits until all conversations are summarised, at most `afterwards` ms. @returns the last counts. */
const untilSummarised = async (url: string, signal: AbortSignal): Promise<Summaries> =>
  onConnection(url, { name: 'oracle' }, async (sql) => {
    for (const end = performance.now() + afterwards; ; await pause(1000, undefined, { signal })) {
      const summaries = await readSummaries(sql);
      if (summaries.missing === 0 || performance.now() > end) return summaries;
    }
  });

const failuresOf = (verdict: Verdict, summaries: Summaries): string[] => [
  ...(['unsent', 'lost', 'broken', 'doubled', 'resentDoubled', 'misplaced', 'foreign'] as const).flatMap(
    (fault) =>
      verdict[fault].length === 0
        ? []
        : [`${fault}: ${verdict[fault].length} words, such as ${verdict[fault].slice(0, 5).join(' ')}`],
  ),
  ...(['missing', 'failed', 'repeated'] as const).flatMap((fault) =>
    summaries[fault] === 0 ? [] : [`${summaries[fault]} summaries are ${fault}`],
  ),
];

/** Causes the faults one after the other while the wearables speak. */
const strikeAll = async (fleet: LaptopFleet, options: FleetKillOptions): Promise<Fault[]> => {
  const { kills, seed, signal, tell } = options;
  const random = seeded(seed);
  const faults: Fault[] = [];
  for (const kind of faultMix(kills, random)) {
    await pause(pauses[0] + random() * (pauses[1] - pauses[0]), undefined, { signal });
    const fault = await strike(fleet, kind, random);
    faults.push(fault);
    const took = ((fault.repaired - fault.began) / 1000).toFixed(1);
    tell(`${faults.length} of ${kills}: ${kind}, ${fault.part}, usable again after ${took} s`);
  }
  return faults;
};

const rowOf = (
  { kills, streams }: FleetKillOptions,
  verdict: Verdict,
  summaries: Summaries,
  recovered: readonly number[],
  seconds: number,
): Row => {
  const more = verdict.divided.reduce((sum, [, parts]) => sum + parts - 1, 0);
  const took = (percent: number): number => Math.round(percentile(recovered, percent) ?? 0);
  return {
    suite: 'fleet-kill',
    contender: 'cochlea',
    mode: 'killed parts',
    stt: 'tokens',
    streams,
    kills,
    words: verdict.spoken,
    words_lost: verdict.lost.length + verdict.unsent.length,
    acknowledged_words_lost: verdict.broken.length,
    words_doubled: verdict.doubled.length,
    resent_words_doubled: verdict.resentDoubled.length,
    words_misplaced: verdict.misplaced.length,
    more_conversations: more,
    repeated_summaries: summaries.repeated,
    ...(recovered.length === 0
      ? {}
      : {
          p50_kill_to_word_ms: took(50),
          p95_kill_to_word_ms: took(95),
          p99_kill_to_word_ms: took(99),
        }),
    seconds: Math.round(seconds),
  };
};

/**
 * Kills parts of a fleet while wearables speak tokens, and compares spoken, acknowledged and stored words. Brings the
 * fleet up first, and takes it down at the end.
 */
export const runFleetKill = async (options: FleetKillOptions): Promise<FleetKillOutcome> => {
  const { engines, streams, seed, settings, rule, tell, signal } = options;
  tell(`the fleet is brought up; seed ${seed}`);
  const fleet = await openTokenFleet({ engines, settings });
  const url = fleet.settings.DATABASE_URL!;
  let speakers: TokenSpeaker[] = [];
  try {
    await onConnection(url, { name: 'oracle' }, countSummaries);
    speakers = await makeSpeakers(fleet, { count: streams, seed, rule });
    const crowd = startCrowd(speakers, ramp);
    const began = performance.now();
    const stop = (): void => crowd.abort();
    signal.addEventListener('abort', stop, { once: true });
    const faults = await pause(ramp, undefined, { signal })
      .then(() => strikeAll(fleet, options))
      .finally(() => signal.aborted && crowd.abort());
    const seconds = (performance.now() - began) / 1000;
    tell('all are silent; the last words come back');
    await crowd.finish(afterwards);
    const summaries = await untilSummarised(url, signal);
    const stored = await onConnection(url, { name: 'oracle' }, storedTokens);
    const verdict = judgeTokens(
      speakers.map(({ said }) => said),
      stored,
    );
    const recoveries = recoveriesOf(speakers, faults);
    const recovered = recoveries.flatMap(({ took }) => took ?? []);
    tell(
      `${verdict.spoken} words spoken, ${verdict.acknowledged} acknowledged, ${verdict.stored} stored; ` +
        `${verdict.lost.length} lost, ${verdict.unsent.length} unsent, ${verdict.doubled.length} stored twice, ` +
        `${verdict.resentDoubled.length} stored twice after they were sent twice, ${verdict.misplaced.length} misplaced; ` +
        `${recoveries.length} lost connections; ${summaries.summaries} summaries, ${summaries.repeated} repeated; ` +
        `${verdict.divided.length} wearers with more than one conversation`,
    );
    for (const { kind, lost, p50, p95 } of recoveriesByKind(recoveries))
      tell(`${kind}: ${lost} lost connections; next word after ${p50} ms (p50), ${p95} ms (p95)`);
    const row = rowOf(options, verdict, summaries, recovered, seconds);
    return {
      results: [row],
      failures: failuresOf(verdict, summaries),
      versions: {},
      selfNoise: [],
      skipped: [],
    };
  } finally {
    await fleet.down({ quick: true });
  }
};
