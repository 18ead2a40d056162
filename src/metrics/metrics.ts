import { bucketOf, histogramCells } from './histogram.js';
import {
  type HistogramName,
  histogramHelp,
  histogramOrder,
  type MetricName,
  metricHelp,
  metricOrder,
} from './names.js';
import { largestProviderGauges, splitLabels } from './provider-metrics.js';

const cellOf = new Map(metricOrder.map((name, cell) => [name, cell]));
/** First cell of each histogram, after the counters. */
const histogramAt = new Map(
  histogramOrder.map((name, place) => [name, metricOrder.length + place * histogramCells]),
);
const rowLength = metricOrder.length + histogramOrder.length * histogramCells;

/**
 * Counters of one thread: a row of float64 cells in shared memory. Only the owning thread writes the row, so it needs no atomics. Cells
 * are eight bytes and aligned, so reads are never torn.
 */
export class MetricsRow {
  constructor(private readonly cells: Float64Array) {}

  add(name: MetricName, amount = 1): void {
    const cell = cellOf.get(name)!;
    this.cells[cell] = this.cells[cell]! + amount;
  }

  set(name: MetricName, value: number): void {
    this.cells[cellOf.get(name)!] = value;
  }

  get(name: MetricName): number {
    return this.cells[cellOf.get(name)!]!;
  }

  /** Adds one value to a histogram. */
  observe(name: HistogramName, seconds: number): void {
    const at = histogramAt.get(name)!;
    const bucket = at + bucketOf(seconds);
    const sum = at + histogramCells - 1;
    this.cells[bucket] = this.cells[bucket]! + 1;
    this.cells[sum] = this.cells[sum]! + seconds;
  }

  /** Like `add`, for a cell that `metricCell` looked up beforehand. For paths that run once a frame. */
  addCell(cell: number, amount: number): void {
    this.cells[cell] = this.cells[cell]! + amount;
  }
}

/** Cell of a metric in every row. */
export const metricCell = (name: MetricName): number => cellOf.get(name)!;

/** Values of a histogram. */
export interface Distribution {
  /** Count of each bucket, not cumulative. The last count is for values above the last bound. */
  readonly counts: Float64Array;
  /** Sum of all values, in seconds. */
  readonly sum: number;
}

/** All rows of a process: row 0 belongs to the main thread, row 1 + n to shard n. */
export class MetricsTable {
  readonly buffer: SharedArrayBuffer;

  constructor(rowsOrBuffer: number | SharedArrayBuffer) {
    this.buffer =
      typeof rowsOrBuffer === 'number'
        ? new SharedArrayBuffer(rowsOrBuffer * rowLength * Float64Array.BYTES_PER_ELEMENT)
        : rowsOrBuffer;
  }

  get rows(): number {
    return this.buffer.byteLength / (rowLength * Float64Array.BYTES_PER_ELEMENT);
  }

  row(index: number): MetricsRow {
    return new MetricsRow(this.cellsOf(index));
  }

  /** Sets the gauges of a lost thread's row to 0. Its counters stay, and the replacing thread adds to them. */
  clearGauges(index: number): void {
    const row = this.row(index);
    for (const name of metricOrder) if (!isCounter(name)) row.set(name, 0);
  }

  /** Sum over all rows; use `largest` for the gauges in `largestOf`. */
  total(name: MetricName): number {
    let sum = 0;
    for (let index = 0; index < this.rows; index++) sum += this.row(index).get(name);
    return sum;
  }

  largest(name: MetricName): number {
    let most = 0;
    for (let index = 0; index < this.rows; index++) most = Math.max(most, this.row(index).get(name));
    return most;
  }

  /** The values of a histogram, summed over all rows. */
  distribution(name: HistogramName): Distribution {
    const at = histogramAt.get(name)!;
    const cells = new Float64Array(histogramCells);
    for (let index = 0; index < this.rows; index++) {
      const row = this.cellsOf(index);
      for (let cell = 0; cell < histogramCells; cell++) cells[cell] = cells[cell]! + row[at + cell]!;
    }
    return { counts: cells.subarray(0, -1), sum: cells.at(-1)! };
  }

  private cellsOf(index: number): Float64Array {
    return new Float64Array(this.buffer, index * rowLength * Float64Array.BYTES_PER_ELEMENT, rowLength);
  }
}

/** Gauges with a process value that is the largest of the rows rather than their sum. */
export const largestOf: ReadonlySet<MetricName> = new Set<MetricName>([
  'shard_lag_milliseconds',
  'transcriber_lag_milliseconds',
  'transcriber_voice_lag_milliseconds',
  'transcriber_retained_lag_milliseconds',
  'transcriber_interim_lag_milliseconds',
  'transcriber_wait_milliseconds',
  // Every shard measures the same folder.
  'journal_rejected_bytes',
  ...largestProviderGauges,
]);

/** Returns whether a metric only grows. */
export const isCounter = (name: MetricName): boolean => splitLabels(name).family.endsWith('_total');

export const helpOf = (name: MetricName | HistogramName): string =>
  name in histogramHelp ? histogramHelp[name as HistogramName] : metricHelp[name as MetricName];
