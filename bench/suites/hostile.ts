import { joinSlices } from '../fleet/load-row.js';
import { loadRow, measureLoad } from '../fleet/measure.js';
import { countOf, countWords } from '../fleet/sent.js';
import type { Slice } from '../fleet/session.js';
import { quantileOf } from '../fleet/targets/server-page.js';
import {
  crowdFor,
  type HostileCounts,
  type HostileCrowd,
  type HostileKind,
  hostileKinds,
  sendersOfImages,
} from '../hostile/hostile-kinds.js';
import { startHostile } from '../hostile/hostile-process.js';
import { type ImageLoad, imageWords, watchImages } from '../hostile/image-load.js';
import type { Row, SuiteOutcome } from '../report/index.js';
import { type AskedLoadOptions, loadWords, measureAsked } from './asked-load.js';
import { labelsOf } from './fleet.js';

/**
 * Maximum ratio: the honest streams' p99 with hostile clients, divided by the honest streams' p99 without hostile
 * clients.
 */
export const toleratedRatio = 2;
/**
 * The maximum of the same ratio if the other clients are streams that send images as a wearable's camera does. It is
 * lower than `toleratedRatio`, because such streams are no attack.
 */
export const toleratedRatioOfImages = 1.5;
/** Seconds after the measurement within which hostile clients must end. */
const margin = 120;

/** Options of the suite. The requested load applies to the honest streams. */
export interface HostileOptions extends AskedLoadOptions {
  /** Kinds of hostile clients to run. */
  readonly kinds: readonly HostileKind[];
  readonly settle: number;
  readonly seconds: number;
  readonly slice: number;
}

export interface HostileOutcome extends SuiteOutcome {
  /** Reasons why the server failed; empty if it passed. */
  readonly failures: readonly string[];
  readonly hostile: HostileCounts | undefined;
  /** Effect of the images; undefined if no stream sent images. */
  readonly images: ImageLoad | undefined;
}

/** Describes the losses of honest streams; empty if there are none. */
export const losses = (where: string, whole: Slice): string[] => [
  ...(whole.dropped > 0 ? [`${where}: ${whole.dropped} frames dropped`] : []),
  ...(countOf(whole.sent.errors) > 0 ? [`${where}: ${countWords(whole.sent.errors)}`] : []),
  ...(whole.open < whole.wanted ? [`${where}: ${whole.open} of ${whole.wanted} streams held`] : []),
];

/** Compares honest streams alone with the same number of honest streams during an attack by hostile clients. */
export const judgeHostile = (
  alone: readonly Slice[],
  beside: readonly Slice[],
  tolerated = toleratedRatio,
): { readonly ratio: number | undefined; readonly failures: readonly string[] } => {
  const [before, during] = [joinSlices(alone), joinSlices(beside)];
  const failures = [...losses('undisturbed', before), ...losses('beside hostile clients', during)];
  const [own, disturbed] = [quantileOf(before.frameToVad, 0.99), quantileOf(during.frameToVad, 0.99)];
  if (own === undefined || disturbed === undefined) {
    return { ratio: undefined, failures: [...failures, 'no window was decided'] };
  }
  const ratio = disturbed / own;
  if (ratio > tolerated) {
    failures.push(
      `p99 ${disturbed.toFixed(1)} ms beside hostile clients, ${own.toFixed(1)} ms without: ` +
        `${ratio.toFixed(2)} times, at most ${tolerated}`,
    );
  }
  return { ratio, failures };
};

const toleratedBy = (kinds: readonly HostileKind[]): number =>
  kinds.every((kind) => kind === 'images') ? toleratedRatioOfImages : toleratedRatio;

const hostileWords = (crowd: HostileCrowd): string =>
  Object.entries(crowd)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');

/** Describes how connections ended, the most frequent way first. */
const endingWords = ({ endings }: HostileCounts): string => {
  const all = Object.entries(endings).sort(([, one], [, other]) => other - one);
  return all.length === 0 ? '' : ` (${all.map(([how, count]) => `${count} ${how}`).join(', ')})`;
};

/**
 * Measures honest streams alone, and then during an attack by an equal number of hostile clients. Tests whether hostile
 * clients cause losses or delays for the honest streams.
 */
export const runHostile = (options: HostileOptions): Promise<HostileOutcome> =>
  measureAsked('hostile', options, async (load, streams) => {
    const { asked, settle, seconds, view } = options;
    const measure = (): Promise<readonly Slice[]> =>
      measureLoad(load.session, { ...options, streams, onSlice: (slice) => view.slice(slice) });
    view.phase(`${load.target.name}: ${streams} streams, undisturbed`, seconds, settle);
    const alone = await measure();
    const crowd = crowdFor(streams, options.kinds);
    view.phase(`${load.target.name}: ${streams} streams beside hostile clients`, seconds, settle);
    const hostile = startHostile(load.target.url, crowd, settle + seconds + margin);
    let beside: readonly Slice[];
    let images: ImageLoad | undefined;
    try {
      const { metricsUrl } = load.target;
      const watched = sendersOfImages(crowd) > 0 && metricsUrl ? await watchImages(metricsUrl) : undefined;
      await hostile.begun;
      beside = await measure();
      images = await watched?.();
    } finally {
      await hostile.stop();
    }
    const { ratio, failures } = judgeHostile(alone, beside, toleratedBy(options.kinds));
    const labels = { ...labelsOf('hostile', options, load.target), asked: loadWords(asked), streams };
    const row = (mode: string, slices: readonly Slice[]): Row =>
      loadRow({ ...labels, mode }, slices, load.baselineKb);
    const results: Row[] = [
      row('undisturbed', alone),
      {
        ...row(`beside ${hostileWords(crowd)}`, beside),
        against: 'undisturbed',
        ...(ratio === undefined ? {} : { ratio: Number(ratio.toPrecision(4)) }),
      },
    ];
    const counts = hostile.counts();
    if (counts) {
      const opened = hostileKinds.map((kind) => `${kind} ${counts.connects[kind]}`).join(', ');
      view.line(`hostile connections: ${opened}; ${counts.ended} ended by the server${endingWords(counts)}`);
    }
    if (images) view.line(imageWords(images));
    return { results, failures, hostile: counts, images };
  });
