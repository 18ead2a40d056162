import type { WriteStream } from 'node:tty';
import { createLogUpdate } from 'log-update';
import sparkly from 'sparkly';
import { cpuPerStreamSecond } from './load-row.js';
import { countWords } from './sent.js';
import type { Slice, Tick } from './session.js';
import { type Distribution, merged, quantileOf } from './targets/server-page.js';

/** Shows the progress of a load. */
export interface LoadView {
  /**
   * Begins the next phase of the run.
   * @param seconds duration of the phase without `settle`, if it is known.
   * @param settle seconds at the beginning of the phase in which streams run but nothing is measured; 0 if there are
   * none.
   */
  phase(title: string, seconds?: number, settle?: number): void;
  tick(tick: Tick): void;
  slice(slice: Slice): void;
  /** Prints a line that stays on the terminal. */
  line(text: string): void;
  /** Ends the view and removes the lines that it rewrites. */
  end(): void;
}

type Out = Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

const barWidth = 24;
/** Maximum number of columns of a histogram. */
const columns = 32;
/** Ms between two progress lines if the output is not a terminal. */
const plainEvery = 5000;

const grouped = (value: number): string => Math.round(value).toLocaleString('en');

const bar = (share: number): string => {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * barWidth);
  return `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`;
};

/**
 * Returns a histogram in one line, from the first to the last bucket that is not empty. Buckets are merged so that the
 * line has at most 32 columns.
 */
export const histogramLine = ({ bounds, counts }: Distribution): string => {
  const first = counts.findIndex((count) => count > 0);
  if (first < 0) return '';
  const last = counts.findLastIndex((count) => count > 0);
  const step = Math.ceil((last - first + 1) / columns);
  const joined: number[] = [];
  for (let at = first; at <= last; at += step) {
    joined.push(counts.slice(at, at + step).reduce((sum, count) => sum + count, 0));
  }
  const shown = (value: number | undefined): string =>
    value === undefined || !Number.isFinite(value) ? 'more' : `${Number(value.toPrecision(2))} ms`;
  return `${shown(bounds[first - 1] ?? 0)} ${sparkly(joined, { minimum: 0 })} ${shown(bounds[last])}`;
};

const sliceWords = (slice: Slice): string => {
  const cost = cpuPerStreamSecond(slice);
  const p99 = quantileOf(slice.frameToVad, 0.99);
  return [
    cost === undefined ? undefined : `${cost.toFixed(2)} ms a stream-second`,
    p99 === undefined ? undefined : `p99 ${p99.toFixed(1)} ms`,
    `${grouped(slice.dropped)} dropped`,
  ]
    .filter((word) => word !== undefined)
    .join(', ');
};

const errorWords = (errors: Tick['errors']): string => {
  const words = countWords(errors, grouped);
  return words === '' ? 'no errors' : `errors: ${words}`;
};

const tickWords = ({ open, wanted, framesPerS, cpuCores, errors }: Tick): string =>
  [
    `${grouped(open)} of ${grouped(wanted)} streams`,
    `${grouped(framesPerS)} frames/s`,
    cpuCores === undefined ? undefined : `${cpuCores.toFixed(2)} cores`,
    errorWords(errors),
  ]
    .filter((word) => word !== undefined)
    .join(', ');

/**
 * Returns the elapsed time of a phase as text. @param elapsed seconds since the beginning of the phase, including
 * `settle`.
 */
const phaseTime = (elapsed: number, seconds: number | undefined, settle: number): string => {
  if (elapsed < settle) return `settling, ${elapsed.toFixed(0)} of ${settle.toFixed(0)} s`;
  return `${(elapsed - settle).toFixed(0)}${seconds === undefined ? '' : ` of ${seconds.toFixed(0)}`} s`;
};

/** Returns a view that rewrites a few lines of the terminal. */
const terminalView = (out: Out, now: () => number): LoadView => {
  // The type of log-update requires a complete stream, but the library uses only the members of `Out`.
  const update = createLogUpdate(out as WriteStream);
  let title = '';
  let began = 0;
  let length: number | undefined;
  let settling = 0;
  let tickLine = '';
  let sliceLine = '';
  let histogram = '';
  let seen: Distribution = { bounds: [], counts: [] };
  const draw = (): void => {
    const elapsed = (now() - began) / 1000;
    const time = phaseTime(elapsed, length, settling);
    const head = length === undefined ? title : `${bar(elapsed / (settling + length))} ${title}`;
    const lines = [`${head}, ${time}`, tickLine, sliceLine, histogram].filter((text) => text !== '');
    update(lines.join('\n'));
  };
  return {
    phase(text, seconds, settle = 0) {
      title = text;
      length = seconds;
      settling = settle;
      began = now();
      seen = { bounds: [], counts: [] };
      draw();
    },
    tick(tick) {
      tickLine = tickWords(tick);
      draw();
    },
    slice(slice) {
      seen = merged([seen, slice.frameToVad]);
      sliceLine = sliceWords(slice);
      const line = histogramLine(seen);
      histogram = line === '' ? '' : `frame to VAD ${line}`;
      draw();
    },
    line(text) {
      update.clear();
      out.write(`${text}\n`);
      draw();
    },
    end() {
      update.clear();
      update.done();
    },
  };
};

/** Returns a view that prints plain lines: the title of each phase, and the state every five seconds. */
const plainView = (out: Out, now: () => number): LoadView => {
  let latest: Tick | undefined;
  let written = now();
  const write = (text: string): void => {
    out.write(`${text}\n`);
    written = now();
  };
  return {
    phase(title, seconds, settle = 0) {
      const settled = settle === 0 ? '' : ` after ${settle} s to settle`;
      write(seconds === undefined ? title : `${title}, ${seconds} s${settled}`);
    },
    tick(tick) {
      latest = tick;
      if (now() - written >= plainEvery) write(`  ${tickWords(tick)}`);
    },
    slice(slice) {
      write(`  ${latest === undefined ? '' : `${tickWords(latest)}, `}${sliceWords(slice)}`);
    },
    line: write,
    end: () => undefined,
  };
};

/**
 * Opens a view of a load's progress.
 * @param live whether to rewrite lines, which is possible only on a terminal.
 * @param now clock in ms; tests replace it.
 */
export const openView = (out: Out, live: boolean, now: () => number = () => performance.now()): LoadView =>
  live && out.isTTY === true ? terminalView(out, now) : plainView(out, now);
