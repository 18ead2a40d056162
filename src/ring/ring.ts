/// <reference lib="es2024.sharedmemory" />
import { ringAge } from './clock.js';
import { HeaderWord, headerBytes, RecordKind, recordAlignment, recordHeaderBytes } from './layout.js';

const headerWords = headerBytes / Int32Array.BYTES_PER_ELEMENT;
const roundUp = recordAlignment - 1;

/**
 * Allocates a ring.
 * @param bytes size of the data area; a power of two from 1024 to 2^30.
 * @returns memory for one `RingProducer` and one `RingConsumer`, each on its own thread.
 * @throws RangeError for any other size.
 */
export const createRing = (bytes: number): SharedArrayBuffer => {
  if (!Number.isInteger(bytes) || bytes < 1024 || bytes > 2 ** 30 || (bytes & (bytes - 1)) !== 0) {
    throw new RangeError(`ring size must be a power of two from 1024 to 2^30, got ${bytes}`);
  }
  return new SharedArrayBuffer(headerBytes + bytes);
};

/**
 * Returns the size in bytes of the largest payload that always fits into an empty ring. The result is about half of the
 * data area, because a record may need padding of up to its own size before it.
 * @param bytes size of the data area.
 */
export const largestPayload = (bytes: number): number => bytes / 2 - recordHeaderBytes;

/**
 * Copies a complete `frame` to `target`, starting at `offset`. A native implementation needs no typed array for each
 * frame, which would take 97 bytes of JavaScript heap.
 */
export type FrameCopier = (target: Uint8Array, offset: number, frame: ArrayBuffer) => void;

/** A message from a listener: a complete buffer, or a view of a part of a buffer. */
export type FrameBytes = ArrayBuffer | Uint8Array;

const copyThroughView: FrameCopier = (target, offset, frame) => target.set(new Uint8Array(frame), offset);

/**
 * The writing end of the ring. It belongs to one thread and never blocks. Waking the consumer follows Dekker's
 * algorithm. The producer writes `head`, then reads `sleeping`; the consumer writes `sleeping`, then reads `head`.
 * All four accesses are sequentially consistent, so at least one side sees the other's write.
 */
export class RingProducer {
  readonly #header: Int32Array;
  readonly #data: Uint8Array;
  readonly #words: Uint32Array;
  readonly #size: number;
  readonly #mask: number;
  #head: number;
  /** New value of `head` when the reserved record is published. */
  #next: number;
  /**
   * Value of `tail` when it was last read. Since then the free space can only have grown, so most records need no
   * atomic read of `tail`.
   */
  #tail: number;

  /**
   * @param sab memory from `createRing`. A later producer on the same memory continues where the earlier one stopped.
   * @param copy copies an ArrayBuffer for `write`.
   */
  constructor(
    sab: SharedArrayBuffer,
    private readonly copy: FrameCopier = copyThroughView,
  ) {
    this.#header = new Int32Array(sab, 0, headerWords);
    this.#data = new Uint8Array(sab, headerBytes);
    this.#words = new Uint32Array(sab, headerBytes);
    this.#size = this.#data.length;
    this.#mask = this.#size - 1;
    this.#head = Atomics.load(this.#header, HeaderWord.head) >>> 0;
    this.#next = this.#head;
    this.#tail = Atomics.load(this.#header, HeaderWord.tail) >>> 0;
  }

  /**
   * Copies one record into the ring and wakes the consumer if it sleeps.
   * @param kind one of `RecordKind`, not `padding`.
   * @param slot slot of the session on the shard.
   * @param payload copied before this returns; the caller keeps it.
   * @param arrival `ringClock()` at the arrival of the message.
   * @returns false if there is no space. Nothing is then written.
   */
  write(kind: number, slot: number, payload: FrameBytes, arrival: number): boolean {
    const offset = this.#reserve(kind, slot, payload.byteLength, arrival);
    if (offset < 0) return false;
    if (payload instanceof Uint8Array) this.#data.set(payload, offset);
    else this.copy(this.#data, offset, payload);
    this.#publish();
    return true;
  }

  /** Size of the data area, in bytes. */
  get size(): number {
    return this.#size;
  }

  /** Position of the next record, as a uint32 count of bytes that wraps. */
  get written(): number {
    return this.#head;
  }

  /** Position up to which the consumer has released records, in the same count as `written`. */
  released(): number {
    this.#tail = Atomics.load(this.#header, HeaderWord.tail) >>> 0;
    return this.#tail;
  }

  /** Returns the number of free bytes. A record may use some of them for padding. */
  free(): number {
    return this.#size - ((this.#head - this.released()) >>> 0);
  }

  /**
   * Returns the number of calls of `beat` by the consumer, modulo 2^32. The number stops changing when the
   * consumer's thread hangs.
   */
  beats(): number {
    return Atomics.load(this.#header, HeaderWord.beats) >>> 0;
  }

  /** Returns the number of bytes that the consumer has released since the creation of the ring, modulo 2^32. */
  taken(): number {
    return Atomics.load(this.#header, HeaderWord.tail) >>> 0;
  }

  /**
   * Returns the age of the oldest record that the consumer has not released. This thread can read that record safely,
   * because no other thread writes records, and releasing a record does not change it.
   * @param now `ringClock()`.
   * @returns ms; 0 if every record was released.
   */
  oldestAge(now: number): number {
    const tail = this.taken();
    if (tail === this.#head) return 0;
    const at = tail & this.#mask;
    const isPadding = (this.#words[(at >>> 2) + 1]! & 0xff) === RecordKind.padding;
    return ringAge(this.#words[((isPadding ? 0 : at) >>> 2) + 3]!, now);
  }

  /**
   * Writes the header of a record, preceded by padding if needed. @returns the offset of its payload, or -1 if
   * there is no space.
   */
  #reserve(kind: number, slot: number, length: number, arrival: number): number {
    const need = (recordHeaderBytes + length + roundUp) & ~roundUp;
    let at = this.#head & this.#mask;
    const toEnd = this.#size - at;
    const padding = need > toEnd ? toEnd : 0;
    if (!this.#hasSpace(need + padding)) return -1;
    if (padding !== 0) {
      // The rest of the data area may be as short as eight bytes, so only the first two words of the padding are
      // written.
      this.#words[at >>> 2] = 0;
      this.#words[(at >>> 2) + 1] = RecordKind.padding;
      at = 0;
    }
    const word = at >>> 2;
    this.#words[word] = length;
    this.#words[word + 1] = kind | (((arrival - Math.floor(arrival)) * 1000) << 16);
    this.#words[word + 2] = slot;
    this.#words[word + 3] = arrival;
    this.#next = (this.#head + padding + need) >>> 0;
    return at + recordHeaderBytes;
  }

  #publish(): void {
    this.#head = this.#next;
    Atomics.store(this.#header, HeaderWord.head, this.#head | 0);
    if (Atomics.load(this.#header, HeaderWord.sleeping) !== 0) this.#notify();
  }

  #hasSpace(bytes: number): boolean {
    if (this.#size - ((this.#head - this.#tail) >>> 0) >= bytes) return true;
    return this.free() >= bytes;
  }

  #notify(): void {
    if (Atomics.exchange(this.#header, HeaderWord.sleeping, 0) !== 0) {
      Atomics.notify(this.#header, HeaderWord.sleeping);
    }
  }
}

/**
 * Handles one record. Its payload is `data[offset .. offset + length)` of the consumer, valid until `release`. If the
 * visitor returns exactly false, `drain` stops after this record.
 */
export type RecordVisitor = (
  kind: number,
  slot: number,
  offset: number,
  length: number,
  arrival: number,
) => unknown;

/** The reading end of the ring. It belongs to one thread. */
export class RingConsumer {
  /**
   * The data area. Offsets that are passed to visitor functions are relative to its start. The same memory is passed
   * to the core as `CoreOptions.memory`.
   */
  readonly data: Uint8Array;
  readonly #header: Int32Array;
  readonly #words: Uint32Array;
  readonly #size: number;
  readonly #mask: number;
  /**
   * Position of the end of the visited records. Records between `tail` and this position were visited but not
   * released.
   */
  #read: number;
  #beats = 0;

  constructor(sab: SharedArrayBuffer) {
    this.#header = new Int32Array(sab, 0, headerWords);
    this.data = new Uint8Array(sab, headerBytes);
    this.#words = new Uint32Array(sab, headerBytes);
    this.#size = this.data.length;
    this.#mask = this.#size - 1;
    this.#read = Atomics.load(this.#header, HeaderWord.tail) >>> 0;
  }

  /**
   * Visits the new records in order. It does not release them, so offsets stay valid until `release`.
   * @returns the number of visited records.
   */
  drain(visit: RecordVisitor): number {
    const head = Atomics.load(this.#header, HeaderWord.head) >>> 0;
    const words = this.#words;
    let count = 0;
    while (this.#read !== head) {
      const at = this.#read & this.#mask;
      const word = at >>> 2;
      const kindAndFraction = words[word + 1]!;
      const kind = kindAndFraction & 0xff;
      if (kind === RecordKind.padding) {
        this.#read = (this.#read + this.#size - at) >>> 0;
        continue;
      }
      const length = words[word]!;
      // The position advances before the visit. If the visitor throws, the record is thus not visited again.
      this.#read = (this.#read + ((recordHeaderBytes + length + roundUp) & ~roundUp)) >>> 0;
      count++;
      const arrival = words[word + 3]! + (kindAndFraction >>> 16) / 1000;
      if (visit(kind, words[word + 2]!, at + recordHeaderBytes, length, arrival) === false) break;
    }
    return count;
  }

  /**
   * Increments the counter that shows the producer that this thread runs. Called at least ten times within
   * `SHARD_TIMEOUT`, even if no record arrives.
   */
  beat(): void {
    this.#beats = (this.#beats + 1) | 0;
    Atomics.store(this.#header, HeaderWord.beats, this.#beats);
  }

  /** Releases all visited records. The producer may then overwrite them. */
  release(): void {
    Atomics.store(this.#header, HeaderWord.tail, this.#read | 0);
  }

  /**
   * Resolves when a record is available, when `wake` is called, or after `timeoutMs`. Only one wait at a time is
   * allowed. A timer of Node ends the wait, because a timeout of `Atomics.waitAsync` would not keep the event loop
   * alive (Node 20). Every wait is notified in the end, because a waiter without a notification would never be freed.
   * @returns whether it waited; false if a record was available at once.
   */
  async wait(timeoutMs: number): Promise<boolean> {
    Atomics.store(this.#header, HeaderWord.sleeping, 1);
    if (this.#pending()) {
      Atomics.store(this.#header, HeaderWord.sleeping, 0);
      return false;
    }
    const waiter = Atomics.waitAsync(this.#header, HeaderWord.sleeping, 1);
    if (waiter.async) {
      const timer = setTimeout(this.#expire, timeoutMs);
      await waiter.value;
      clearTimeout(timer);
    }
    Atomics.store(this.#header, HeaderWord.sleeping, 0);
    return waiter.async;
  }

  /** Ends a running `wait` of this consumer early. Does nothing if no `wait` runs. */
  wake(): void {
    if (Atomics.exchange(this.#header, HeaderWord.sleeping, 0) !== 0) {
      Atomics.notify(this.#header, HeaderWord.sleeping);
    }
  }

  /** Returns the share of the ring that unreleased records take, from 0 to 1. */
  fill(): number {
    const head = Atomics.load(this.#header, HeaderWord.head) >>> 0;
    const tail = Atomics.load(this.#header, HeaderWord.tail) >>> 0;
    return ((head - tail) >>> 0) / this.#size;
  }

  /** Ends a wait whatever the state of `sleeping`, so that a lost wake-up only delays the consumer. */
  readonly #expire = (): void => {
    Atomics.store(this.#header, HeaderWord.sleeping, 0);
    Atomics.notify(this.#header, HeaderWord.sleeping);
  };

  #pending(): boolean {
    return Atomics.load(this.#header, HeaderWord.head) >>> 0 !== this.#read;
  }
}
