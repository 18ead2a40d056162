import { setTimeout as pause } from 'node:timers/promises';
import { createUser } from '../../../src/identity/users.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { startEngine } from '../../fleet/targets/engine-target.js';
import { quantile } from '../../micro/stats.js';
import type { Row, SuiteOutcome } from '../../report/index.js';
import { type ModelState, modelStates, startModel } from '../../translations/model.js';
import { type Received, Speaker } from '../../translations/speaker.js';
import { startBenchDatabase } from '../database.js';

/** Maximum delay of translated segments, divided by the delay of other segments. */
export const toleratedRatio = 1.5;

export interface TranslationsOptions {
  /** Number of streams of users with translations. Equally many other streams have no translations. */
  readonly streams: number;
  /** Seconds for which the model stays in each state. */
  readonly seconds: number;
  readonly tell?: ((line: string) => void) | undefined;
  readonly signal: AbortSignal;
}

export interface TranslationsOutcome extends SuiteOutcome {
  /** Reasons why the server failed; empty if it passed. */
  readonly failures: readonly string[];
}

/** Joins the messages of all streams of one kind that arrived while the model was in one state. */
const joined = (all: readonly Received[]): Received => ({
  delays: all.flatMap(({ delays }) => delays),
  missing: all.reduce((sum, { missing }) => sum + missing, 0),
  translations: all.reduce((sum, { translations }) => sum + translations, 0),
});

/** Compares the delay of translated segments with the delay of other segments. */
export const judgeTranslations = (
  state: ModelState,
  plain: Received,
  translated: Received,
): { readonly ratio: number | undefined; readonly failures: readonly string[] } => {
  const where = `model ${state}`;
  if (plain.delays.length === 0 || translated.delays.length === 0) {
    return { ratio: undefined, failures: [`${where}: no segment came`] };
  }
  const ratio = quantile(translated.delays, 0.99) / quantile(plain.delays, 0.99);
  const failures = [
    ...(ratio > toleratedRatio
      ? [`${where}: segments come ${ratio.toFixed(2)} times as late, at most ${toleratedRatio}`]
      : []),
    ...(state === 'well' && translated.translations === 0 ? [`${where}: nothing was translated`] : []),
    ...(plain.translations > 0 ? [`${where}: who wants no translations got some`] : []),
  ];
  return { ratio, failures };
};

const rounded = (value: number): number => Number(value.toPrecision(6));

/**
 * Runs equally many streams with and without translation on one engine. The translating model first works well, then it
 * is slow, wrong and unreachable. Measures the delay from a text to its segment.
 */
export const runTranslations = async (options: TranslationsOptions): Promise<TranslationsOutcome> => {
  const { streams, seconds, tell, signal } = options;
  const closing: (() => unknown)[] = [];
  try {
    const database = await startBenchDatabase(true);
    closing.unshift(() => database.remove());
    const model = await startModel();
    closing.unshift(() => model.close());
    const target = await startEngine({
      env: { DATABASE_URL: database.url, TRANSLATOR: 'llm', LLM_BASE_URL: model.url, LLM_MODEL: 'bench' },
    });
    closing.unshift(() => target.stop());
    const sql = connectDatabase(database.url, { max: 2, name: 'bench' });
    closing.unshift(() => sql.end({ timeout: 1 }));
    const open = async (kind: string, language: string | null): Promise<Speaker[]> => {
      const uids = Array.from({ length: streams }, (_, index) => `${kind}-${index}`);
      for (const uid of uids) await createUser(sql, { uid });
      await sql`update users set language = ${language} where uid = any(${uids})`;
      const speakers = uids.map((uid) => new Speaker(target.url, uid));
      closing.unshift(() => {
        for (const speaker of speakers) speaker.close();
      });
      await Promise.all(speakers.map((speaker) => speaker.ready()));
      for (const [index, speaker] of speakers.entries()) speaker.start((index * 1000) / streams);
      return speakers;
    };
    const translated = await open('translated', 'en');
    const plain = await open('plain', null);
    const results: Row[] = [];
    const failures: string[] = [];
    const takeAll = () =>
      [plain, translated].map((speakers) => joined(speakers.map((one) => one.take()))) as [
        Received,
        Received,
      ];
    // In this pause the language detector is loaded and code is compiled.
    await pause(5000, undefined, { signal });
    for (const state of modelStates) {
      tell?.(`the model is ${state}`);
      model.state = state;
      takeAll();
      await pause(seconds * 1000, undefined, { signal });
      const [without, beside] = takeAll();
      const judged = judgeTranslations(state, without, beside);
      failures.push(...judged.failures);
      const row = (mode: string, { delays }: Received): Row => ({
        ...{ suite: 'translations', contender: target.name, mode: `${mode}, model ${state}`, streams },
        ...(delays.length > 0 && {
          p50_ms: rounded(quantile(delays, 0.5)),
          p99_ms: rounded(quantile(delays, 0.99)),
        }),
      });
      results.push(row('not translated', without), {
        ...row('translated', beside),
        against: `not translated, model ${state}`,
        ...(judged.ratio !== undefined && { ratio: Number(judged.ratio.toPrecision(4)) }),
      });
      tell?.(
        `${beside.delays.length} segments and ${beside.translations} translations; ${without.delays.length} segments without`,
      );
    }
    return { results, failures, selfNoise: [], skipped: [], versions: { ...target.versions } };
  } finally {
    for (const close of closing) await close();
  }
};
