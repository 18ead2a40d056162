import { fixedLimits } from '../../config/limits/index.js';
import { type FrameBytes, RecordKind, type RingProducer, ringClock } from '../../ring/index.js';
import { viewOf } from '../listener/index.js';
import { TextsInRing } from './texts-in-ring.js';
import { leastCost, type TextLimits } from './user-budget.js';

interface WaitingRecord {
  readonly kind: number;
  readonly payload: Uint8Array;
  readonly arrival: number;
}

/**
 * Kind of a record. Each kind has its own limits, because audio and gaps may be dropped, but control records never are.
 */
type Share = 'control' | 'audio';

const shareOf = (kind: number): Share =>
  kind === RecordKind.audio || kind === RecordKind.gap ? 'audio' : 'control';

/** The waiting records of one slot, in order. */
interface Line {
  readonly records: WaitingRecord[];
  readonly bytes: Record<Share, number>;
}

/**
 * The result for a record. `taken`: the record is in the ring, or waits. `slot_full`: the waiting records of this slot
 * have too many bytes. `shard_full`: the waiting records of all slots together have too many bytes.
 */
export type Taking = 'taken' | 'slot_full' | 'shard_full';

const nothing = new Uint8Array(0);
const retryDelay = 2;
/** Number of bytes added to the size of each waiting record, because an empty record takes memory, too. */
const overhead = 128;
/**
 * Number of bytes of each kind (control, audio) that each slot may queue, even if all slots together exceed the limit.
 */
const guaranteed = 4096;

export interface ControlQueueOptions {
  /**
   * Maximum number of bytes of control records that may wait for all slots together. The limit applies only to records
   * that may be refused.
   */
  readonly limit: number;
  /** Maximum number of bytes of control records that one slot may queue. */
  readonly limitPerSlot: number;
  /** Maximum number of bytes of audio and gaps that may wait for all slots together. */
  readonly audioLimit: number;
  /** Maximum number of bytes of audio and gaps that one slot may queue. */
  readonly audioLimitPerSlot: number;
  /** Called once for each control record that must wait. */
  readonly onQueued: () => void;
  /** Called once for each frame or gap record that must wait. */
  readonly onFrameQueued: () => void;
}

/**
 * Returns the limits of a control queue. They follow from the texts that a user may send at once. A listener may
 * deliver all of them in one turn of the event loop, during which no shard can free space. A shard may also pause for
 * some milliseconds. The budgets of users refuse any further texts before these reach the queue.
 */
export const controlLimits = ({
  imageBurst,
  textBurst,
}: TextLimits): Omit<ControlQueueOptions, 'onQueued' | 'onFrameQueued'> => {
  const atOnce = (textBurst + imageBurst) * (1 + overhead / leastCost);
  const limitPerSlot = atOnce + fixedLimits.waitingPerSlot.value;
  return {
    limit: Math.max(fixedLimits.waitingPerShard.value, 2 * limitPerSlot),
    limitPerSlot,
    audioLimit: fixedLimits.frontAudioPerShard.value,
    audioLimitPerSlot: fixedLimits.frontAudioPerSlot.value,
  };
};

/**
 * Queues records for one shard's ring. These are control records (open, text, close, drain), which are never dropped,
 * and audio that finds no space in the ring because the shard is late. Main thread only.
 *
 * Each slot has its own queue. So its records stay in order, and many records of one slot delay only that slot. Texts
 * may occupy only a part of the ring, per slot and in total, because the rest is for audio. Further texts wait here
 * while records of other slots enter the ring. When the ring itself is full, waiting control records enter it before
 * any audio.
 */
export class ControlQueue {
  readonly #texts: TextsInRing;
  /** Waiting records by slot. The first entry is the slot that is served next. */
  readonly #waiting = new Map<number, Line>();
  readonly #bytes: Record<Share, number> = { control: 0, audio: 0 };
  readonly #limits: Readonly<Record<Share, { readonly all: number; readonly slot: number }>>;
  #length = 0;
  /**
   * Arrival time of a waiting drain record. This record is the last one, so no other record may enter the ring after
   * it.
   */
  #drainArrival: number | undefined;
  /**
   * Position up to which the ring was released at the last flush. Until this position advances, no waiting record can
   * enter the ring.
   */
  #walkedAt = -1;
  /** Whether the ring had no space for a record at the last attempt. */
  #full = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly producer: RingProducer,
    private readonly options: ControlQueueOptions,
  ) {
    this.#texts = new TextsInRing(producer);
    const { limit, limitPerSlot, audioLimit, audioLimitPerSlot } = options;
    this.#limits = {
      control: { all: limit, slot: limitPerSlot },
      audio: { all: audioLimit, slot: audioLimitPerSlot },
    };
  }

  /** Number of waiting records. */
  get length(): number {
    return this.#length;
  }

  /**
   * Writes a control record, or queues it with a copy of its payload.
   * @returns always `taken` for records other than opens and texts, because these are never refused.
   */
  write(kind: number, slot: number, payload: Uint8Array): Taking {
    const arrival = ringClock();
    this.flush();
    if (kind === RecordKind.drain) return this.#writeDrain(arrival);
    if (!this.#full && !this.#waiting.has(slot) && this.#pass(kind, slot, payload, arrival)) return 'taken';
    if (kind === RecordKind.open || kind === RecordKind.text) {
      const space = this.#spaceFor('control', slot, payload.length);
      if (space !== 'taken') return space;
    }
    this.#wait(kind, slot, payload.slice(), arrival);
    this.options.onQueued();
    return 'taken';
  }

  /**
   * Writes a frame or a gap record. The record waits behind waiting records of the same slot, and while the ring is
   * full.
   * @param frame copied before this returns.
   * @returns false when there is no space. The caller must then drop the frame.
   */
  writeFrame(kind: number, slot: number, frame: FrameBytes, arrival: number): boolean {
    this.flush();
    const enters = !this.#full && !this.#waiting.has(slot);
    if (enters && this.producer.write(kind, slot, frame, arrival)) return true;
    if (this.#spaceFor('audio', slot, frame.byteLength) !== 'taken') return false;
    this.#wait(kind, slot, viewOf(frame).slice(), arrival);
    this.options.onFrameQueued();
    return true;
  }

  /**
   * Moves waiting records into the ring, one record per slot and pass.
   * @returns whether no record waits any more.
   */
  flush(): boolean {
    if (this.#length === 0) {
      this.#full = false;
      return true;
    }
    const released = this.producer.released();
    if (released === this.#walkedAt) return false;
    this.#walkedAt = released;
    this.#walk();
    if (this.#waiting.size === 0 && this.#drainArrival !== undefined) {
      if (this.producer.write(RecordKind.drain, 0, nothing, this.#drainArrival)) {
        this.#drainArrival = undefined;
        this.#length--;
      }
    }
    return this.#length === 0;
  }

  /** Drops all waiting records, because the shard is lost. */
  clear(): void {
    this.#waiting.clear();
    this.#bytes.control = 0;
    this.#bytes.audio = 0;
    this.#length = 0;
    this.#full = false;
    this.#drainArrival = undefined;
    clearTimeout(this.#retry);
    this.#retry = undefined;
  }

  #walk(): void {
    this.#full = false;
    for (const [slot, line] of this.#waiting) {
      const { kind, payload, arrival } = line.records[0]!;
      if (!this.#pass(kind, slot, payload, arrival)) {
        if (this.#full) return;
        continue;
      }
      line.records.shift();
      this.#count(line, kind, -(payload.length + overhead));
      this.#length--;
      // Moves the slot to the end of the map, where this loop reaches it again.
      this.#waiting.delete(slot);
      if (line.records.length > 0) this.#waiting.set(slot, line);
    }
  }

  #writeDrain(arrival: number): 'taken' {
    if (this.#length === 0 && this.producer.write(RecordKind.drain, 0, nothing, arrival)) return 'taken';
    this.#drainArrival = arrival;
    this.#length++;
    this.options.onQueued();
    this.#arm();
    return 'taken';
  }

  /**
   * Writes a record to the ring.
   * @returns false when the record must wait: for space in the ring if `#full` is set, otherwise for its slot's share.
   */
  #pass(kind: number, slot: number, payload: Uint8Array, arrival: number): boolean {
    const isText = kind === RecordKind.text;
    if (isText && !this.#texts.admits(slot, payload.length)) return false;
    if (!this.producer.write(kind, slot, payload, arrival)) {
      this.#full = true;
      return false;
    }
    if (isText) this.#texts.note(slot, payload.length);
    return true;
  }

  /** Decides whether a record of this length may wait in the queue of its slot. */
  #spaceFor(share: Share, slot: number, length: number): Taking {
    const bytes = length + overhead;
    const own = (this.#waiting.get(slot)?.bytes[share] ?? 0) + bytes;
    const limits = this.#limits[share];
    if (own > limits.slot) return 'slot_full';
    return this.#bytes[share] + bytes <= limits.all || own <= guaranteed ? 'taken' : 'shard_full';
  }

  /** Adds a number of bytes to the counts of the slot and of the queue. A negative number is subtracted. */
  #count(line: Line, kind: number, bytes: number): void {
    const share = shareOf(kind);
    line.bytes[share] += bytes;
    this.#bytes[share] += bytes;
  }

  #wait(kind: number, slot: number, payload: Uint8Array, arrival: number): void {
    let line = this.#waiting.get(slot);
    if (line === undefined) {
      line = { records: [], bytes: { control: 0, audio: 0 } };
      this.#waiting.set(slot, line);
    }
    line.records.push({ kind, payload, arrival });
    this.#count(line, kind, payload.length + overhead);
    this.#length++;
    this.#arm();
  }

  #arm(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      if (!this.flush()) this.#arm();
    }, retryDelay);
  }
}
