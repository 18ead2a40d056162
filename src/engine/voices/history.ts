import {
  type LabelledWindow,
  meanOf,
  type RevisedVoice,
  scaled,
  type VoiceMove,
  type VoiceWindow,
} from '../../transcript/index.js';

/** The windows of a conversation as plain data, in the layout that is sent to the jobs pool. */
export interface PackedVoices {
  readonly count: number;
  /**
   * One row of `dimensions` values for each of the `count` entries. Each row is the direction of an embedding, not
   * normalised.
   */
  readonly directions: Int8Array;
  /** Wall-clock time (ms) of the middle of the first window of each entry. */
  readonly from: Float64Array;
  /** Wall-clock time (ms) of the middle of the last window of each entry. */
  readonly to: Float64Array;
  readonly windows: Uint16Array;
  readonly voices: Int32Array;
  /** Voices to which a client assigned a person, with that person. */
  readonly named: readonly (readonly [voice: number, who: string])[];
  /** Number for the next voice that a revision splits off. */
  readonly next: number;
}

interface Entry {
  direction: Int8Array;
  readonly from: number;
  to: number;
  windows: number;
  voice: number;
}

/** Number of newest windows that are never joined, because later audio may still change their voice. */
const open = 48;
/** Maximum number of windows in one entry: eight seconds of one voice. */
const mostJoined = 32;
/** Maximum distance in ms between two entries that may be joined. */
const near = 1000;

/** Scales a vector so that its largest component is 127. One byte per component is precise enough for clustering. */
export const quantised = (vector: Float32Array): Int8Array => {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const factor = largest > 0 ? 127 / largest : 0;
  return Int8Array.from(vector, (value) => Math.round(value * factor));
};

const lengthOf = (direction: Int8Array): number => {
  let sum = 0;
  for (const value of direction) sum += value * value;
  return Math.sqrt(sum) || 1;
};

const joined = (one: Entry, other: Entry): Int8Array => {
  const a = one.windows / lengthOf(one.direction);
  const b = other.windows / lengthOf(other.direction);
  return quantised(
    Float32Array.from(one.direction, (value, index) => a * value + b * other.direction[index]!),
  );
};

/**
 * Stores the windows of one conversation, so that speakers can be reassigned when it ends. The history has at most
 * `most` entries. When more are added, neighbouring entries of one voice are joined: first two windows, then four, up
 * to eight seconds. If no entries can be joined, the oldest entry is removed; the segments of that time keep their
 * speakers. The cost of an added window does not depend on the length of the conversation. Use it on the shard's thread
 * only.
 */
export class VoiceHistory {
  readonly #most: number;
  readonly #entries: Entry[] = [];
  #cursor = 0;
  #level = 2;
  #last = Number.NEGATIVE_INFINITY;

  /** @param most maximum number of entries; several hundred. */
  constructor(most: number) {
    this.#most = Math.max(most, 2 * open);
  }

  get length(): number {
    return this.#entries.length;
  }

  /** Adds new windows of the stream. It also updates the voices of recent windows that are already stored. */
  note(windows: readonly VoiceWindow[]): void {
    const known = new Map(this.#entries.slice(-open).map((entry) => [entry.from, entry]));
    for (const { at, embedding, voice } of windows) {
      const entry = known.get(at);
      if (entry !== undefined && entry.windows === 1) entry.voice = voice;
      if (at <= this.#last) continue;
      this.#last = at;
      this.#entries.push({ direction: quantised(embedding), from: at, to: at, windows: 1, voice });
      if (this.#entries.length > this.#most) this.#shorten();
    }
  }

  /** Reassigns all entries of voice `from` to voice `to`. */
  move({ from, to }: VoiceMove): void {
    for (const entry of this.#entries) if (entry.voice === from) entry.voice = to;
  }

  pack(named: PackedVoices['named'], next: number): PackedVoices {
    const count = this.#entries.length;
    const dimensions = this.#entries[0]?.direction.length ?? 0;
    const packed = {
      count,
      directions: new Int8Array(count * dimensions),
      from: new Float64Array(count),
      to: new Float64Array(count),
      windows: new Uint16Array(count),
      voices: new Int32Array(count),
      named,
      next,
    };
    this.#entries.forEach(({ direction, from, to, windows, voice }, index) => {
      packed.directions.set(direction, index * dimensions);
      packed.from[index] = from;
      packed.to[index] = to;
      packed.windows[index] = windows;
      packed.voices[index] = voice;
    });
    return packed;
  }

  /**
   * Applies the voices of a revision to the entries that were packed. Entries that were added after packing keep
   * their voice.
   * @returns whether a voice has changed.
   */
  adopt(voices: Int32Array): boolean {
    let changed = false;
    voices.forEach((voice, index) => {
      const entry = this.#entries[index];
      if (entry === undefined || entry.voice === voice) return;
      entry.voice = voice;
      changed = true;
    });
    return changed;
  }

  /** All voices of the stored windows, each with its mean and its number of windows. */
  get voices(): readonly RevisedVoice[] {
    const entries = new Map<number, Entry[]>();
    for (const entry of this.#entries) {
      const own = entries.get(entry.voice);
      if (own === undefined) entries.set(entry.voice, [entry]);
      else own.push(entry);
    }
    return [...entries].map(([number, own]) => ({
      number,
      mean: meanOf(
        own.map(({ direction, windows }) => ({
          vector: scaled(Float32Array.from(direction)),
          weight: windows,
        })),
      ),
      windows: own.reduce((sum, { windows }) => sum + windows, 0),
    }));
  }

  /**
   * Returns the windows between two times (wall clock, ms). Windows that were joined into one entry are spread
   * evenly over its time.
   */
  around(from: number, to: number): LabelledWindow[] {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#entries[middle]!.to < from) low = middle + 1;
      else high = middle;
    }
    const found: LabelledWindow[] = [];
    for (let index = low; index < this.#entries.length && this.#entries[index]!.from <= to; index++) {
      const { from: first, to: last, windows, voice } = this.#entries[index]!;
      const step = windows > 1 ? (last - first) / (windows - 1) : 0;
      for (let window = 0; window < windows; window++) {
        const at = first + window * step;
        if (at >= from && at <= to) found.push({ at, voice, sure: true });
      }
    }
    return found;
  }

  /** Joins one pair of neighbours. If no pair can be joined, removes the oldest entry. */
  #shorten(): void {
    const entries = this.#entries;
    const end = entries.length - open;
    while (this.#level <= mostJoined) {
      for (; this.#cursor < end - 1; this.#cursor++) {
        const one = entries[this.#cursor]!;
        const other = entries[this.#cursor + 1]!;
        if (one.voice !== other.voice || other.from - one.to > near) continue;
        if (one.windows + other.windows > this.#level) continue;
        one.direction = joined(one, other);
        one.to = other.to;
        one.windows += other.windows;
        entries.splice(this.#cursor + 1, 1);
        return;
      }
      if (this.#level === mostJoined) break;
      this.#level *= 2;
      this.#cursor = 0;
    }
    entries.shift();
    this.#cursor = Math.max(0, this.#cursor - 1);
  }
}
