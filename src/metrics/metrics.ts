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
/** Index of the first cell of each histogram. Histograms come after the counters. */
const histogramAt = new Map(
  histogramOrder.map((name, place) => [name, metricOrder.length + place * histogramCells]),
);
const rowLength = metricOrder.length + histogramOrder.length * histogramCells;

/**
 * Counters of one thread: a row of float64 cells in shared memory. Only the owning thread writes the row, so no atomic
 * operations are needed. Cells have eight bytes and are aligned, so a reader never sees a half-written value.
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

  /** Adds to a cell whose index `metricCell` returned earlier. Faster than `add`, for code that runs once per frame. */
  addCell(cell: number, amount: number): void {
    this.cells[cell] = this.cells[cell]! + amount;
  }
}

/** Returns the index of a metric's cell, which is the same in every row. */
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

  /** Returns the sum over all rows. For the gauges in `largestOf` use `largest` instead. */
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

  /** Returns the values of a histogram, summed over all rows. */
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

/** Gauges for which the value of the process is the largest value of the rows rather than their sum. */
export const largestOf: ReadonlySet<MetricName> = new Set<MetricName>([
  'shard_lag_milliseconds',
  'transcriber_lag_milliseconds',
  'transcriber_voice_lag_milliseconds',
  'transcriber_retained_lag_milliseconds',
  'transcriber_interim_lag_milliseconds',
  'transcriber_wait_milliseconds',
  // Every shard measures the same folder, so a sum would count the folder several times.
  'journal_rejected_bytes',
  ...largestProviderGauges,
]);

/** Checks whether a metric is a counter, which only grows. */
export const isCounter = (name: MetricName): boolean => splitLabels(name).family.endsWith('_total');

export const helpOf = (name: MetricName | HistogramName): string =>
  name in histogramHelp ? histogramHelp[name as HistogramName] : metricHelp[name as MetricName];
