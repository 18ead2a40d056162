import type { FrameBytes, FrameCopier, RecordVisitor } from '../../../src/ring/index.js';

/** Bytes of frames that may wait for the next pass; as much as the product's ring holds by default. */
const capacity = 4_194_304;
/** Records that may wait. */
const records = 65_536;
/** Of both, what only control records may take: one that is lost would lose its stream. */
const kept = { bytes: 1_048_576, records: 16_384 } as const;

/**
 * What stands in the place of the ring where sockets and sessions live on one thread: what a message callback hands over
 * waits in plain memory for the shard's next pass. No shared memory, no atomics, no other thread to wake.
 */
export class DirectLine {
  /** Where payloads lie; memory for the core. */
  readonly data = new Uint8Array(capacity);
  readonly #copy: FrameCopier;
  readonly #kinds = new Uint8Array(records);
  readonly #slots = new Uint32Array(records);
  readonly #offsets = new Uint32Array(records);
  readonly #lengths = new Uint32Array(records);
  readonly #arrivals = new Float64Array(records);
  #written = 0;
  #read = 0;
  #used = 0;
  #timer: NodeJS.Timeout | undefined;
  #wake: (() => void) | undefined;

  constructor(copy: FrameCopier = (target, offset, frame) => target.set(new Uint8Array(frame), offset)) {
    this.#copy = copy;
  }

  /** Takes a control record. @returns false when there is no space. */
  write(kind: number, slot: number, payload: Uint8Array, arrival: number): boolean {
    if (!this.#hasSpace(payload.length)) return false;
    this.data.set(payload, this.#used);
    this.#note(kind, slot, payload.length, arrival);
    return true;
  }

  /** Takes a frame. @returns false when there is no space. */
  writeFrame(kind: number, slot: number, frame: FrameBytes, arrival: number): boolean {
    if (this.#written >= records - kept.records) return false;
    if (!this.#hasSpace(frame.byteLength + kept.bytes)) return false;
    if (frame instanceof Uint8Array) this.data.set(frame, this.#used);
    else this.#copy(this.data, this.#used, frame);
    this.#note(kind, slot, frame.byteLength, arrival);
    return true;
  }

  /** As `RingConsumer.drain`. */
  drain(visit: RecordVisitor): number {
    const from = this.#read;
    while (this.#read < this.#written) {
      const at = this.#read++;
      const more = visit(
        this.#kinds[at]!,
        this.#slots[at]!,
        this.#offsets[at]!,
        this.#lengths[at]!,
        this.#arrivals[at]!,
      );
      if (more === false) break;
    }
    return this.#read - from;
  }

  /** As `RingConsumer.release`. What was not visited moves down once a quarter of the space was, so rarely. */
  release(): void {
    const from = this.#read;
    const to = this.#written;
    const base = from < to ? this.#offsets[from]! : this.#used;
    if (from < to && from < records / 4 && base < capacity / 4) return;
    this.data.copyWithin(0, base, this.#used);
    for (const list of [this.#kinds, this.#slots, this.#offsets, this.#lengths, this.#arrivals]) {
      list.copyWithin(0, from, to);
    }
    this.#read = 0;
    this.#written = to - from;
    this.#used -= base;
    for (let at = 0; at < this.#written; at++) this.#offsets[at]! -= base;
  }

  /** As `RingConsumer.beat`; no other thread watches this one. */
  beat(): void {}

  /** As `RingConsumer.wait`. */
  async wait(timeoutMs: number): Promise<void> {
    if (this.#read < this.#written) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#timer = setTimeout(() => this.wake(), timeoutMs);
    });
  }

  wake(): void {
    clearTimeout(this.#timer);
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #hasSpace(bytes: number): boolean {
    return this.#written < records && this.#used + bytes <= capacity;
  }

  #note(kind: number, slot: number, length: number, arrival: number): void {
    const at = this.#written++;
    this.#kinds[at] = kind;
    this.#slots[at] = slot;
    this.#offsets[at] = this.#used;
    this.#lengths[at] = length;
    this.#arrivals[at] = arrival;
    this.#used += length;
    if (this.#wake !== undefined) this.wake();
  }
}
