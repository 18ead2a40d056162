import { wordError } from '../../src/app/sample/word-error.js';
import type { Row } from '../report/index.js';
import { isLeak } from '../suites/slope.js';
import type { Fault, Judged } from './judge.js';
import type { Growth } from './memory.js';

const titles: Readonly<Record<Fault, string>> = {
  lost: 'not stored',
  doubled: 'stored twice',
  foreign: 'stored in another stream',
  model: 'written by a model of another language',
  language: 'stored in a conversation of another language',
  invented: 'stored without speech',
};
/** Maximum number of faults of each kind that are described. */
const described = 3;

/** Returns a line for each kind of fault, with the first faults of the kind. */
export const faultLines = ({ faults }: Judged): string[] =>
  Object.entries(faults).flatMap(([kind, found]) =>
    found.length === 0
      ? []
      : [`${found.length} texts ${titles[kind as Fault]}: ${found.slice(0, described).join('; ')}`],
  );

/**
 * Returns a row for each language. It contains the share of words that differ from the words that the best model writes
 * without load.
 */
export const languageRows = (
  { compared }: Judged,
  streams: ReadonlyMap<string, number>,
  shared: Omit<Row, 'suite'>,
): Row[] =>
  [...streams].map(([language, count]) => {
    const counts = compared
      .filter((one) => one.language === language)
      .map(({ expected, found }) => wordError(expected, found));
    const words = counts.reduce((sum, one) => sum + one.words, 0);
    const errors = counts.reduce((sum, one) => sum + one.errors, 0);
    return {
      ...shared,
      suite: 'language-soak',
      mode: `language ${language}`,
      streams: count,
      ...(words === 0 ? {} : { word_error: Number((errors / words).toFixed(4)) }),
      words,
    };
  });

/** Returns a row for each part of the server, with the growth of its memory. */
export const memoryRows = (growths: readonly Growth[], shared: Omit<Row, 'suite'>): Row[] =>
  growths.map(({ part, rssKb, slope }) => ({
    ...shared,
    suite: 'language-soak',
    mode: `memory of a process: ${part}`,
    rss_kb: Math.round(rssKb),
    rss_slope_kb_per_min: Number(slope.perMinute.toFixed(1)),
    rss_slope_low_kb_per_min: Number(slope.low.toFixed(1)),
    rss_slope_high_kb_per_min: Number(slope.high.toFixed(1)),
  }));

/** Returns a line for each part of the server whose memory grows. */
export const leakLines = (growths: readonly Growth[]): string[] =>
  growths
    .filter(({ slope, rssKb }) => isLeak(slope, rssKb))
    .map(
      ({ part, slope }) =>
        `memory of the ${part} grows by ${slope.perMinute.toFixed(0)} KB a minute (at least ${slope.low.toFixed(0)})`,
    );
