import type { Row } from '../report/index.js';
import { type Capacity, findCapacity, type Rung } from './capacity.js';
import { beyond, joinSlices, loadFields, type ServiceLevel } from './load-row.js';
import { quantileOf } from './server-page.js';
import type { Session, Slice } from './session.js';

/** Streams that run before anything is measured, so that code is compiled and pools are filled. */
const warmUpStreams = 16;
const warmUpMs = 3000;
/** ms a server gets to let go of streams that ended. */
const lettingGo = 10_000;
/** ms beyond the ramp that streams may take to be open. */
const rampGrace = 10_000;

export interface LoadOptions {
  readonly streams: number;
  /** Streams opened a second. */
  readonly rampPerS: number;
  /** s that do not count, once all streams are open. */
  readonly settle: number;
  /** s that count. */
  readonly seconds: number;
  /** s of a slice. */
  readonly slice: number;
  readonly onSlice?: (slice: Slice) => void;
}

const rampTime = (from: number, to: number, rampPerS: number): number =>
  (Math.abs(to - from) / rampPerS) * 1000 + rampGrace;

/**
 * Warms a server up with a few streams, closes them, and reads its memory: what it holds without streams.
 * @returns KB; undefined where nothing tells.
 */
export const warmUp = async (session: Session): Promise<number | undefined> => {
  await session.reach(warmUpStreams, rampGrace);
  await session.wait(warmUpMs);
  await session.reach(0, lettingGo);
  await session.emptied(lettingGo);
  return (await session.memory())?.rssKb;
};

/**
 * Opens streams, lets them settle and measures slice by slice.
 * @returns the slices; streams that could not be opened show in them.
 */
export const measureLoad = async (session: Session, options: LoadOptions): Promise<readonly Slice[]> => {
  const { streams, rampPerS, settle, seconds, slice: length, onSlice } = options;
  await session.reach(streams, rampTime(session.open, streams, rampPerS));
  await session.wait(settle * 1000);
  const slices: Slice[] = [];
  let from = await session.begin();
  for (let left = seconds; left > 0.01; left -= length) {
    const { slice, end } = await session.slice(from, Math.min(length, left));
    from = end;
    slices.push(slice);
    onSlice?.(slice);
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
  /** Gives a server that does not recover another life; none when absent. */
  readonly restart?: () => Promise<Session>;
  readonly onRung?: (rung: Rung, slice: Slice) => void;
  readonly onSlice?: (slice: Slice) => void;
}

/** s between the last stream's opening and a hold. */
const settleBeforeHold = 2;
/** s a server gets to work off what an overload left. */
const recovery = 15;

/** Waits until a load is handled within the service level again. */
const recovers = async (session: Session, streams: number, task: CapacityTask): Promise<boolean> => {
  await session.reach(streams, rampTime(session.open, streams, task.rampPerS));
  for (let left = recovery; left > 0; left--) {
    const { slice } = await session.slice(await session.begin(), 1);
    if (streams === 0 ? slice.vadWindows === 0 : beyond(slice, task.level) === undefined) return true;
  }
  return false;
};

/** Finds the most streams within a service level, all in one session unless the server does not recover. */
export const measureCapacity = async (first: Session, task: CapacityTask): Promise<Capacity> => {
  const { level, rampPerS, onRung, onSlice } = task;
  let session = first;
  let held = 0;
  let last: Slice | undefined;
  const attempt = async (streams: number, seconds: number): Promise<{ ok: boolean; why?: string }> => {
    const slices = await measureLoad(session, {
      streams,
      rampPerS,
      settle: settleBeforeHold,
      seconds,
      slice: seconds > 15 ? 5 : seconds,
      onSlice,
    });
    last = joinSlices(slices);
    const why = beyond(last, level);
    if (why === undefined) {
      held = Math.max(held, streams);
      return { ok: true };
    }
    const resting = Math.min(held, Math.floor(streams * 0.8));
    if (!(await recovers(session, resting, task)) && !(await recovers(session, 0, task))) {
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
    onRung: (rung) => onRung?.(rung, last!),
  });
};

/** The row of a load that was measured. */
export const loadRow = (
  labels: Pick<Row, 'suite' | 'contender'> & Partial<Row>,
  slices: readonly Slice[],
  baselineKb: number | undefined,
): Row => ({ ...labels, ...loadFields(slices, baselineKb) });

/** A rung as a line to print. */
export const rungLine = ({ streams, seconds, ok, why }: Rung, slice: Slice): string => {
  const p99 = quantileOf(slice.frameToVad, 0.99);
  const latency = p99 === undefined ? '' : `, p99 ${p99.toFixed(1)} ms`;
  return `${String(streams).padStart(6)} streams, ${seconds} s${latency}: ${ok ? 'held' : why}`;
};
