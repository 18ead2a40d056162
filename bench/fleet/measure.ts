import type { Row } from '../report/index.js';
import { type Capacity, findCapacity, type Rung, type Verdict } from './capacity.js';
import { beyond, joinSlices, loadFields, lost, type ServiceLevel } from './load-row.js';
import { PageSilent, type Session, type Slice } from './session.js';
import { quantileOf } from './targets/server-page.js';

/** Number of streams that run before the measurement, so that code is compiled and pools are filled. */
const warmUpStreams = 16;
const warmUpMs = 3000;
/** Maximum ms that a server may take to release streams that have ended. */
const lettingGo = 10_000;
/** Maximum ms from the end of the ramp until all streams must be open. */
const rampGrace = 10_000;

export interface LoadOptions {
  readonly streams: number;
  /** Number of streams opened per second. */
  readonly rampPerS: number;
  /** Seconds from the opening of the last stream to the beginning of the measurement. */
  readonly settle: number;
  /** Number of measured seconds. */
  readonly seconds: number;
  /** Length of a slice in seconds. The measurement is divided into slices. */
  readonly slice: number;
  readonly onSlice?: (slice: Slice) => void;
  /** Called after each slice. Returns true to end the measurement early, because the result is already certain. */
  readonly enough?: (slice: Slice) => boolean;
}

const rampTime = (from: number, to: number, rampPerS: number): number =>
  (Math.abs(to - from) / rampPerS) * 1000 + rampGrace;

/**
 * Lets a server warm up with a few streams, closes them and reads the server's memory without streams.
 * @returns KB; undefined if the memory is not known.
 * @throws Error when the server's page is unreadable, or when no stream opens.
 */
export const warmUp = async (session: Session): Promise<number | undefined> => {
  await session.begin();
  if (!(await session.reach(warmUpStreams, rampGrace)) && session.open === 0) {
    throw new Error(
      `${session.target.name} takes no stream: ${session.errorWords() || 'it does not answer'}`,
    );
  }
  await session.wait(warmUpMs);
  await session.reach(0, lettingGo);
  await session.emptied(lettingGo);
  return (await session.memory())?.rssKb;
};

/**
 * Opens streams, waits `settle` seconds and measures slice by slice.
 * @returns the slices. They also count streams that did not open.
 */
export const measureLoad = async (session: Session, options: LoadOptions): Promise<readonly Slice[]> => {
  const { streams, rampPerS, settle } = options;
  await session.reach(streams, rampTime(session.open, streams, rampPerS));
  await session.wait(settle * 1000);
  return measureSlices(session, options);
};

const measureSlices = async (
  session: Session,
  { seconds, slice: length, onSlice, enough }: Pick<LoadOptions, 'seconds' | 'slice' | 'onSlice' | 'enough'>,
): Promise<readonly Slice[]> => {
  const slices: Slice[] = [];
  let from = await session.begin();
  for (let left = seconds; left > 0.01; left -= length) {
    const { slice, end } = await session.slice(from, Math.min(length, left));
    from = end;
    slices.push(slice);
    onSlice?.(slice);
    if (enough?.(slice)) break;
  }
  return slices;
};

export interface CapacityTask {
  readonly rampPerS: number;
  readonly from: number;
  readonly most: number;
  readonly hold: number;
  readonly shortHold: number;
  readonly level: ServiceLevel;
  /** Restarts a server that does not recover. Without this function, the search then fails. */
  readonly restart?: () => Promise<Session>;
  /** Receives the result of each rung. @param slice the measurement; absent if the server did not answer. */
  readonly onRung?: (rung: Rung, slice?: Slice) => void;
  readonly onSlice?: (slice: Slice) => void;
}

/**
 * Maximum seconds after the opening of streams in which a server may exceed the service level. The measurement begins
 * as soon as the server meets the service level.
 */
const settling = 8;
/** Maximum seconds in which a server must recover from an overload. */
const recovery = 15;

/**
 * Sets the number of streams and waits until the server meets the service level for one second.
 * @returns undefined if it did; otherwise the limit that it exceeded.
 */
const comesToRest = async (
  session: Session,
  streams: number,
  seconds: number,
  { level, rampPerS }: CapacityTask,
): Promise<Slice | undefined> => {
  await session.reach(streams, rampTime(session.open, streams, rampPerS));
  for (let left = seconds; ; left--) {
    const { slice } = await session.slice(await session.begin(), 1);
    const rests = streams === 0 ? slice.vadWindows === 0 : beyond(slice, level) === undefined;
    if (rests) return undefined;
    if (left <= 1) return slice;
  }
};

/**
 * Finds the maximum number of streams with which a server meets the service level. Restarts a server that does not
 * recover or answer.
 */
export const measureCapacity = async (first: Session, task: CapacityTask): Promise<Capacity> => {
  const { level, onRung, onSlice } = task;
  let session = first;
  let held = 0;
  let last: Slice | undefined;
  const load = async (streams: number, seconds: number): Promise<Slice> => {
    const restless = await comesToRest(session, streams, settling, task);
    if (restless !== undefined) return restless;
    const slices = await measureSlices(session, {
      seconds,
      slice: seconds > 15 ? 5 : seconds,
      onSlice,
      enough: (slice) => lost(slice, level) !== undefined,
    });
    return joinSlices(slices);
  };
  const attempt = async (streams: number, seconds: number): Promise<Verdict> => {
    try {
      return await climb(streams, seconds);
    } catch (error) {
      if (!(error instanceof PageSilent) || !task.restart) throw error;
      last = undefined;
      session = await task.restart();
      return { ok: false, why: error.message };
    }
  };
  const climb = async (streams: number, seconds: number): Promise<Verdict> => {
    last = await load(streams, seconds);
    const why = beyond(last, level);
    if (why === undefined) {
      held = Math.max(held, streams);
      return { ok: true };
    }
    const resting = Math.min(held, Math.floor(streams * 0.8));
    const rests = async (count: number) => (await comesToRest(session, count, recovery, task)) === undefined;
    if (!(await rests(resting)) && !(await rests(0))) {
      if (!task.restart) throw new Error(`the server does not recover from ${streams} streams: ${why}`);
      session = await task.restart();
    }
    return { ok: false, why };
  };
  return findCapacity({
    ...task,
    factor: 1.5,
    precision: 0.03,
    attempt,
    onRung: (rung) => onRung?.(rung, last),
  });
};

/** Returns the report row of a measured load. */
export const loadRow = (
  labels: Pick<Row, 'suite' | 'contender'> & Partial<Row>,
  slices: readonly Slice[],
  baselineKb: number | undefined,
): Row => ({ ...labels, ...loadFields(slices, baselineKb) });

/** Returns the result of a rung as a line of text. */
export const rungLine = ({ streams, seconds, ok, why }: Rung, slice?: Slice): string => {
  const p99 = slice && quantileOf(slice.frameToVad, 0.99);
  const latency = p99 === undefined ? '' : `, p99 ${p99.toFixed(1)} ms`;
  return `${String(streams).padStart(6)} streams, ${seconds} s${latency}: ${ok ? 'held' : why}`;
};
