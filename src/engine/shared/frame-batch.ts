import { type AudioCore, batchStride } from '../../audio/interface/index.js';

/** Frames handed to the core in one call. */
const capacity = 4096;
/**
 * Most of one stream that goes to the core before it decodes: a burst after a stall on the network must not look like
 * a stream that is two seconds behind, whose oldest frames the core drops.
 */
export const burst = { frames: 8, bytes: 8192 } as const;

/** The frames of one pass, as the core takes them. Nothing is allocated for a frame. */
export class FrameBatch {
  readonly #core: Pick<AudioCore, 'push'>;
  readonly #entries = new Uint32Array(capacity * batchStride);
  readonly #frames: Uint16Array;
  readonly #bytes: Uint32Array;
  /** Streams that got frames since `renew`. */
  readonly #touched: Uint32Array;
  #touchedCount = 0;
  #count = 0;

  /** @param streams how many the core holds at most. */
  constructor(core: Pick<AudioCore, 'push'>, streams: number) {
    this.#core = core;
    this.#frames = new Uint16Array(streams);
    this.#bytes = new Uint32Array(streams);
    this.#touched = new Uint32Array(streams);
  }

  /** A pass begins: every stream may get a burst again. */
  renew(): void {
    for (let index = 0; index < this.#touchedCount; index++) {
      const handle = this.#touched[index]!;
      this.#frames[handle] = 0;
      this.#bytes[handle] = 0;
    }
    this.#touchedCount = 0;
  }

  /** Whether the core may get more of a stream before it decodes. */
  takes(handle: number): boolean {
    return this.#frames[handle]! < burst.frames && this.#bytes[handle]! < burst.bytes;
  }

  /**
   * Adds a frame; it stays where it is in the ring until `push`.
   * @param arrival in `ringTicks`
   * @returns whether the batch is full: it has to be pushed, and the core has to decode, before the next frame.
   */
  add(handle: number, offset: number, length: number, arrival: number): boolean {
    const at = this.#count * batchStride;
    this.#entries[at] = handle;
    this.#entries[at + 1] = offset;
    this.#entries[at + 2] = length;
    this.#entries[at + 3] = arrival;
    this.#count++;
    if (this.#frames[handle] === 0) this.#touched[this.#touchedCount++] = handle;
    this.#frames[handle]!++;
    this.#bytes[handle]! += length;
    return this.#count === capacity;
  }

  /** Hands what was added to the core, which copies it. */
  push(now: number): void {
    if (this.#count === 0) return;
    const count = this.#count;
    this.#count = 0;
    this.#core.push(this.#entries, count, now);
  }
}
