import { type AudioCore, batchStride } from '../../audio/interface/index.js';
import { ringTicks } from '../../ring/index.js';
import type { LostRun } from '../../wire/index.js';
import { ByteQueue } from '../shared/index.js';
import type { Track } from './track.js';

/** A session with waiting audio. */
export interface LineOwner {
  readonly tracks: readonly Track[];
  /** Whether the waiting audio must still be decoded. */
  readonly takesWaiting: boolean;
}

/** Number of bytes before each frame: the number of its track (1 byte) and its arrival on the ring clock (8 bytes). */
const headBytes = 9;
/**
 * Bit in the track number that marks a record of lost frames. Such a record contains the fields of `LostRun` as two
 * 32-bit words.
 */
const gapMark = 0x80;
const nothingLost: LostRun = { frames: 0, bytes: 0 };
/** Number of bytes added to the size of each frame, because every frame takes memory for its record. */
const overhead = 16;

/** Waiting frames of one session, in order of arrival. Use it on the shard's thread only. */
export class AudioLine {
  readonly #frames = new ByteQueue();
  readonly #head = Buffer.alloc(headBytes);
  readonly #entry = new Uint32Array(batchStride);
  readonly #gap = Buffer.alloc(2 * Uint32Array.BYTES_PER_ELEMENT);
  /** Number of frames and bytes lost after the newest waiting frame, by track. */
  readonly #lost: LostRun[];
  #bytes = 0;
  #gaps = 0;

  constructor(private readonly owner: LineOwner) {
    this.#lost = owner.tracks.map(() => nothingLost);
  }

  /** Returns the number of bytes by which a waiting frame increases `bytes`. */
  static cost(frame: Uint8Array): number {
    return frame.length + overhead;
  }

  /** Number of waiting frames and gaps. */
  get length(): number {
    return this.#frames.length;
  }

  /** Number of waiting frames. */
  get frames(): number {
    return this.#frames.length - this.#gaps;
  }

  /** Number of bytes of all waiting frames and gaps, plus `overhead` for each of them. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the waiting audio must still be decoded. */
  get wanted(): boolean {
    return this.owner.takesWaiting;
  }

  /** Arrival of the oldest waiting frame, on the ring clock. The line must not be empty. */
  get oldestArrival(): number {
    return this.#frames.oldest!.readDoubleLE(1);
  }

  /**
   * Appends a frame.
   * @param track number of the track within the session.
   * @param frame copied before this returns.
   * @param arrival ring clock.
   * @returns the number of bytes by which `bytes` grew.
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
    this.owner.tracks[track]!.frameWaits(arrival);
    return this.#bytes - before;
  }

  /** Records that frames of a track were lost after the newest waiting frame. */
  lose(track: number, { frames, bytes }: LostRun): void {
    const before = this.#lost[track]!;
    this.#lost[track] = { frames: before.frames + frames, bytes: before.bytes + bytes };
  }

  /**
   * Reports to the core the frames that were lost after the last waiting frame. The core must already have that frame.
   */
  end(core: Pick<AudioCore, 'lose'>): void {
    for (const [index, { frames, bytes }] of this.#lost.entries()) {
      if (frames > 0) core.lose(this.owner.tracks[index]!.handle, frames, bytes);
    }
  }

  /**
   * Passes the oldest frame or gap to the core, which copies it.
   * @param now the thread's monotonic clock, ms.
   * @returns the length of the frame in bytes; for a gap, the length of its record.
   */
  push(core: Pick<AudioCore, 'push' | 'lose'>, now: number): number {
    const record = this.#frames.oldest!;
    const arrival = this.oldestArrival;
    const number = record[0]!;
    const track = this.owner.tracks[number & ~gapMark]!;
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
    for (const track of this.owner.tracks) track.noFrameWaits();
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
