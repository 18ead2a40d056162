import { type AudioCore, batchStride } from '../audio/core.js';
import { ringTicks } from '../ring/index.js';
import { ByteQueue } from './byte-queue.js';
import type { Track } from './track.js';

/** The session whose audio waits. */
export interface LineOwner {
  readonly tracks: readonly Track[];
  /** Whether what waits is still to be decoded. */
  readonly takesWaiting: boolean;
}

/** Before each frame: the number of its track, and the ring clock at which it came. */
const headBytes = 9;
/** Bytes counted for a frame beside its own: small ones take memory too. */
const overhead = 16;

/** Frames of one session that wait, in the order in which they came. On the shard's thread only. */
export class AudioLine {
  readonly #owner: LineOwner;
  readonly #frames = new ByteQueue();
  readonly #head = Buffer.alloc(headBytes);
  readonly #entry = new Uint32Array(batchStride);
  #bytes = 0;

  constructor(owner: LineOwner) {
    this.#owner = owner;
  }

  /** Bytes that a frame counts for while it waits. */
  static cost(frame: Uint8Array): number {
    return frame.length + overhead;
  }

  /** Frames that wait. */
  get length(): number {
    return this.#frames.length;
  }

  /** What they count for. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether what waits is still to be decoded. */
  get wanted(): boolean {
    return this.#owner.takesWaiting;
  }

  /** Ring clock at which the oldest came. There must be one. */
  get oldestArrival(): number {
    return this.#frames.oldest!.readDoubleLE(1);
  }

  /**
   * @param track its number among those of the session.
   * @param frame copied before this returns.
   * @param arrival ring clock.
   */
  add(track: number, frame: Uint8Array, arrival: number): void {
    this.#head[0] = track;
    this.#head.writeDoubleLE(arrival, 1);
    this.#frames.push(frame, this.#head);
    this.#bytes += AudioLine.cost(frame);
  }

  /**
   * Hands the oldest frame to the core, which copies it.
   * @param now the thread's clock.
   * @returns its bytes.
   */
  push(core: Pick<AudioCore, 'push'>, now: number): number {
    const record = this.#frames.oldest!;
    const arrival = this.oldestArrival;
    const track = this.#owner.tracks[record[0]!]!;
    const length = record.length - headBytes;
    track.frameCame(arrival);
    this.#entry.set([track.handle, headBytes, length, ringTicks(arrival)]);
    core.push(this.#entry, 1, now, record);
    this.#bytes -= length + overhead;
    this.#frames.drop();
    return length;
  }

  clear(): void {
    this.#frames.clear();
    this.#bytes = 0;
  }
}
