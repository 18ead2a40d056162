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

/** What waits of one slot, in order. */
interface Line {
  readonly records: WaitingRecord[];
  bytes: number;
}

/**
 * What became of a record: it lies in the ring or waits, or it was not taken because too much of its slot waits, or too much
 * of all slots together, which is no fault of this slot.
 */
export type Taking = 'taken' | 'slot_full' | 'shard_full';

const nothing = new Uint8Array(0);
const retryDelay = 2;
/** Bytes counted for a record that waits beside its payload: an empty one takes memory too. */
const overhead = 128;
/** What a slot may let wait even when the others have used everything up. */
const guaranteed = 4096;

export interface ControlQueueOptions {
  /** Bytes that all slots together may let wait, for what may be refused. */
  readonly limit: number;
  /** Bytes that one slot may. */
  readonly limitPerSlot: number;
  /** Called once for each control record that has to wait. */
  readonly onQueued: () => void;
}

/**
 * What may wait follows what a user may send at once. A listener may hand all of it over in one turn of its loop, in which no
 * shard can make space, and a shard may stand still for some milliseconds; floods are what the budgets of users refuse.
 */
export const controlLimits = ({
  imageBurst,
  textBurst,
}: TextLimits): Pick<ControlQueueOptions, 'limit' | 'limitPerSlot'> => {
  const atOnce = (textBurst + imageBurst) * (1 + overhead / leastCost);
  const limitPerSlot = atOnce + fixedLimits.waitingPerSlot.value;
  return { limit: Math.max(fixedLimits.waitingPerShard.value, 2 * limitPerSlot), limitPerSlot };
};

/**
 * Records on their way into one shard's ring: control records (open, text, close, drain), which are never dropped, and
 * the audio of slots that have some waiting. Main thread only.
 *
 * Each slot has its own line here, so that the order of a slot is kept and its flood is its own: of texts only so much
 * may lie in the ring at a time, of one slot and of all together, which leaves space for audio; the rest waits here while
 * other slots pass. When the ring itself is full, no audio enters it until what waits has: control records come first.
 */
export class ControlQueue {
  readonly #producer: RingProducer;
  readonly #options: ControlQueueOptions;
  readonly #texts: TextsInRing;
  /** By slot, the one that is next to be served first. */
  readonly #waiting = new Map<number, Line>();
  #bytes = 0;
  #length = 0;
  /** When a drain waits: it is the last record of all, so that no open follows it. */
  #drainArrival: number | undefined;
  /** How far the ring was released at the last walk: until it is further, nothing that waits can move. */
  #walkedAt = -1;
  /** The ring had no space for a record when it was last tried. */
  #full = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(producer: RingProducer, options: ControlQueueOptions) {
    this.#producer = producer;
    this.#options = options;
    this.#texts = new TextsInRing(producer);
  }

  /** How many records wait. */
  get length(): number {
    return this.#length;
  }

  /**
   * Writes a control record, or makes it wait (its payload is copied then).
   * @returns `taken` for what is neither an open nor a text: such a record is never refused.
   */
  write(kind: number, slot: number, payload: Uint8Array): Taking {
    const arrival = ringClock();
    this.flush();
    if (kind === RecordKind.drain) return this.#writeDrain(arrival);
    if (!this.#full && !this.#waiting.has(slot) && this.#pass(kind, slot, payload, arrival)) return 'taken';
    if (kind === RecordKind.open || kind === RecordKind.text) {
      const space = this.#spaceFor(slot, payload.length);
      if (space !== 'taken') return space;
    }
    this.#wait(kind, slot, payload.slice(), arrival);
    this.#options.onQueued();
    return 'taken';
  }

  /**
   * Writes a frame, or the mark of a gap, while something waits: behind what waits of its own slot, past what waits of others.
   * @param frame copied before this returns.
   * @returns false when there is no space: it is to be dropped.
   */
  writeFrame(kind: number, slot: number, frame: FrameBytes, arrival: number): boolean {
    this.flush();
    if (!this.#waiting.has(slot)) {
      return !this.#full && this.#producer.writeFrame(kind, slot, frame, arrival);
    }
    if (this.#full || this.#spaceFor(slot, frame.byteLength) !== 'taken') return false;
    this.#wait(kind, slot, viewOf(frame).slice(), arrival);
    return true;
  }

  /** Moves what may go into the ring: a record of each slot in turn. Returns true when nothing waits any more. */
  flush(): boolean {
    if (this.#length === 0) {
      this.#full = false;
      return true;
    }
    const released = this.#producer.released();
    if (released === this.#walkedAt) return false;
    this.#walkedAt = released;
    this.#walk();
    if (this.#waiting.size === 0 && this.#drainArrival !== undefined) {
      if (this.#producer.write(RecordKind.drain, 0, nothing, this.#drainArrival)) {
        this.#drainArrival = undefined;
        this.#length--;
      }
    }
    return this.#length === 0;
  }

  /** Forgets everything that waits: the shard is dead. */
  clear(): void {
    this.#waiting.clear();
    this.#bytes = 0;
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
      const bytes = payload.length + overhead;
      line.bytes -= bytes;
      this.#bytes -= bytes;
      this.#length--;
      // Behind the other slots, where this walk will come to it again.
      this.#waiting.delete(slot);
      if (line.records.length > 0) this.#waiting.set(slot, line);
    }
  }

  #writeDrain(arrival: number): 'taken' {
    if (this.#length === 0 && this.#producer.write(RecordKind.drain, 0, nothing, arrival)) return 'taken';
    this.#drainArrival = arrival;
    this.#length++;
    this.#options.onQueued();
    this.#arm();
    return 'taken';
  }

  /** @returns false when the record has to wait: for the slot's share, or, which `#full` says, for the ring. */
  #pass(kind: number, slot: number, payload: Uint8Array, arrival: number): boolean {
    const isText = kind === RecordKind.text;
    if (isText && !this.#texts.admits(slot, payload.length)) return false;
    if (!this.#producer.write(kind, slot, payload, arrival)) {
      this.#full = true;
      return false;
    }
    if (isText) this.#texts.note(slot, payload.length);
    return true;
  }

  /** What would become of a record that has to wait. */
  #spaceFor(slot: number, length: number): Taking {
    const bytes = length + overhead;
    const own = (this.#waiting.get(slot)?.bytes ?? 0) + bytes;
    const { limit, limitPerSlot } = this.#options;
    if (own > limitPerSlot) return 'slot_full';
    return this.#bytes + bytes <= limit || own <= guaranteed ? 'taken' : 'shard_full';
  }

  #wait(kind: number, slot: number, payload: Uint8Array, arrival: number): void {
    let line = this.#waiting.get(slot);
    if (line === undefined) {
      line = { records: [], bytes: 0 };
      this.#waiting.set(slot, line);
    }
    line.records.push({ kind, payload, arrival });
    const bytes = payload.length + overhead;
    line.bytes += bytes;
    this.#bytes += bytes;
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
