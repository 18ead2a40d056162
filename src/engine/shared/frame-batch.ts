import { type AudioCore, batchStride } from '../../audio/interface/index.js';

/** Maximum number of frames that are passed to the core in one call. */
const capacity = 4096;
/**
 * Maximum audio of one stream, in frames and bytes, that the core gets before it decodes. The core drops the oldest
 * frames of a stream that is two seconds behind. Without this limit, a burst after a network stall would make its
 * stream look two seconds behind.
 */
export const burst = { frames: 8, bytes: 8192 } as const;

/** Collects the frames of one pass in the core's batch format. Adding a frame allocates nothing. */
export class FrameBatch {
  readonly #entries = new Uint32Array(capacity * batchStride);
  readonly #frames: Uint16Array;
  readonly #bytes: Uint32Array;
  /** Handles of the streams that got frames since `renew`. */
  readonly #touched: Uint32Array;
  #touchedCount = 0;
  #count = 0;

  /** @param streams maximum number of streams in the core. */
  constructor(
    private readonly core: Pick<AudioCore, 'push'>,
    streams: number,
  ) {
    this.#frames = new Uint16Array(streams);
    this.#bytes = new Uint32Array(streams);
    this.#touched = new Uint32Array(streams);
  }

  /** Starts a pass. Every stream may again get a burst. */
  renew(): void {
    for (let index = 0; index < this.#touchedCount; index++) {
      const handle = this.#touched[index]!;
      this.#frames[handle] = 0;
      this.#bytes[handle] = 0;
    }
    this.#touchedCount = 0;
  }

  /** Whether the core may get more audio of the stream before it decodes, because the stream is below its burst. */
  takes(handle: number): boolean {
    return this.#frames[handle]! < burst.frames && this.#bytes[handle]! < burst.bytes;
  }

  /**
   * Adds a frame. Its bytes must stay in the ring until `push`.
   * @param arrival in `ringTicks`
   * @returns whether the batch is full. The caller must then push it and run the core before it adds the next frame.
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

  /** Passes the added frames to the core, which copies them. @param now ms, the thread's monotonic clock. */
  push(now: number): void {
    if (this.#count === 0) return;
    const count = this.#count;
    this.#count = 0;
    this.core.push(this.#entries, count, now);
  }
}
