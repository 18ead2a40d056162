/**
 * Upper bounds of the buckets in s. All servers under test use these bounds. The lowest is 0.5 ms, each next bound is
 * 10 % larger, and the last is about 20 s.
 */
const bounds: readonly number[] = Array.from({ length: 112 }, (_, k) => 0.0005 * 1.1 ** k);

const names = [
  'frames_decoded_total',
  'frames_invalid_total',
  'vad_windows_total',
  'speech_windows_total',
  'speech_starts_total',
] as const;
export type CounterName = (typeof names)[number];

const slots = new Map<CounterName, number>(names.map((name, i) => [name, i]));
const sumSlot = names.length;
const firstBucket = sumSlot + 1;
const slotCount = firstBucket + bounds.length + 1;

/** Counters of one thread, in memory that other threads can read. */
export class Counters {
  readonly memory: SharedArrayBuffer;
  readonly #values: Float64Array;

  /** @param memory memory of another thread's counters, to read them; absent: new memory. */
  constructor(memory = new SharedArrayBuffer(slotCount * Float64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#values = new Float64Array(memory);
  }

  count(name: CounterName): void {
    this.#values[slots.get(name)!]!++;
  }

  /**
   * Records one decision about a window.
   * @param ms time from the arrival of the frame that completed the window until the decision.
   */
  observe(ms: number): void {
    const seconds = ms / 1000;
    let low = 0;
    let high = bounds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (bounds[middle]! < seconds) low = middle + 1;
      else high = middle;
    }
    this.#values[firstBucket + low]!++;
    this.#values[sumSlot]! += seconds;
  }

  /** Returns the Prometheus page with the sums of all threads. */
  static page(all: readonly Counters[], connections: number): string {
    const sum = (slot: number): number => all.reduce((total, one) => total + one.#values[slot]!, 0);
    const lines: string[] = [];
    for (const [name, slot] of slots) lines.push(`# TYPE ${name} counter`, `${name} ${sum(slot)}`);
    lines.push('# TYPE frames_dropped_total counter', 'frames_dropped_total 0');
    lines.push('# TYPE connections_active gauge', `connections_active ${connections}`);
    lines.push('# TYPE speech_buffer_bytes gauge', 'speech_buffer_bytes 0');
    lines.push('# TYPE frame_to_vad_seconds histogram');
    let below = 0;
    for (const [i, bound] of [...bounds, '+Inf'].entries()) {
      below += sum(firstBucket + i);
      lines.push(`frame_to_vad_seconds_bucket{le="${bound}"} ${below}`);
    }
    lines.push(`frame_to_vad_seconds_sum ${sum(sumSlot)}`, `frame_to_vad_seconds_count ${below}`);
    return `${lines.join('\n')}\n`;
  }
}
