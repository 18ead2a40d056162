import { type AudioCore, batchStride } from '../../audio/interface/index.js';
import { ringTicks } from '../../ring/index.js';
import type { LostRun } from '../../wire/index.js';
import { ByteQueue } from '../shared/index.js';
import type { Track } from './track.js';

/** The session whose audio waits. */
export interface LineOwner {
  readonly tracks: readonly Track[];
  /** Whether what waits is still to be decoded. */
  readonly takesWaiting: boolean;
}

/** Before each frame: the number of its track, and the ring clock at which it came. */
const headBytes = 9;
/** Added to the number of the track where no frame follows, but what was lost there: two words, of `LostRun`. */
const gapMark = 0x80;
const nothingLost: LostRun = { frames: 0, bytes: 0 };
/** Bytes counted for a frame beside its own: small ones take memory too. */
const overhead = 16;

/** Frames of one session that wait, in the order in which they came. On the shard's thread only. */
export class AudioLine {
  readonly #owner: LineOwner;
  readonly #frames = new ByteQueue();
  readonly #head = Buffer.alloc(headBytes);
  readonly #entry = new Uint32Array(batchStride);
  readonly #gap = Buffer.alloc(2 * Uint32Array.BYTES_PER_ELEMENT);
  /** What was lost behind the newest frame, by track. */
  readonly #lost: LostRun[];
  #bytes = 0;
  #gaps = 0;

  constructor(owner: LineOwner) {
    this.#owner = owner;
    this.#lost = owner.tracks.map(() => nothingLost);
  }

  /** Bytes that a frame counts for while it waits. */
  static cost(frame: Uint8Array): number {
    return frame.length + overhead;
  }

  /** Frames that wait, and gaps between them. */
  get length(): number {
    return this.#frames.length;
  }

  /** Frames that wait. */
  get frames(): number {
    return this.#frames.length - this.#gaps;
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
   * @returns bytes that this counts for.
   */
  add(track: number, frame: Uint8Array, arrival: number): number {
    const before = this.#bytes;
    this.#head.writeDoubleLE(arrival, 1);
    for (const [index, { frames, bytes }] of this.#lost.entries()) {
      if (frames === 0) continue;
      this.#gap.writeUInt32LE(frames, 0);
      this.#gap.writeUInt32LE(Math.min(bytes, 0xffff_ffff), 4);
      this.#push(index | gapMark, this.#gap);
      this.#gaps++;
      this.#lost[index] = nothingLost;
    }
    this.#push(track, frame);
    return this.#bytes - before;
  }

  /** Frames of a track are lost behind all that waits. */
  lose(track: number, { frames, bytes }: LostRun): void {
    const before = this.#lost[track]!;
    this.#lost[track] = { frames: before.frames + frames, bytes: before.bytes + bytes };
  }

  /** Tells the core what was lost behind the last frame, which it has by now. */
  end(core: Pick<AudioCore, 'lose'>): void {
    for (const [index, { frames, bytes }] of this.#lost.entries()) {
      if (frames > 0) core.lose(this.#owner.tracks[index]!.handle, frames, bytes);
    }
  }

  /**
   * Hands the oldest frame, or gap, to the core, which copies it.
   * @param now the thread's clock.
   * @returns its bytes.
   */
  push(core: Pick<AudioCore, 'push' | 'lose'>, now: number): number {
    const record = this.#frames.oldest!;
    const arrival = this.oldestArrival;
    const number = record[0]!;
    const track = this.#owner.tracks[number & ~gapMark]!;
    const length = record.length - headBytes;
    if ((number & gapMark) !== 0) {
      core.lose(track.handle, record.readUInt32LE(headBytes), record.readUInt32LE(headBytes + 4));
      this.#gaps--;
    } else {
      track.frameCame(arrival);
      this.#entry.set([track.handle, headBytes, length, ringTicks(arrival)]);
      core.push(this.#entry, 1, now, record);
    }
    this.#bytes -= length + overhead;
    this.#frames.drop();
    return length;
  }

  clear(): void {
    this.#frames.clear();
    this.#lost.fill(nothingLost);
    this.#bytes = 0;
    this.#gaps = 0;
  }

  #push(head: number, bytes: Uint8Array): void {
    this.#head[0] = head;
    this.#frames.push(bytes, this.#head);
    this.#bytes += AudioLine.cost(bytes);
  }
}
