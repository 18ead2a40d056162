import { type MetricsRow, metricCell } from '../../metrics/index.js';
import {
  type FrameBytes,
  type FrameCopier,
  headerBytes,
  largestPayload,
  RecordKind,
  RingProducer,
  recordHeaderBytes,
} from '../../ring/index.js';
import type { CloseNotice, OpenRequest, ShardLink, ShardMessage } from '../../wire/index.js';
import { ControlQueue, controlLimits, type Taking } from './control-queue.js';
import type { TextLimits } from './user-budget.js';

/** Progress of a shard. A hanging shard makes none. */
export interface Progress {
  /** Number of turns of the shard's event loop. */
  readonly beats: number;
  /** Number of bytes that the shard has taken from its ring. */
  readonly taken: number;
  /** Age in ms of the oldest record that the shard has not released. */
  readonly waiting: number;
}

const nothing = new Uint8Array(0);
const sentCell = metricCell('messages_sent_total');
const unsentCell = metricCell('messages_dropped_total');
const queuedCell = metricCell('ring_controls_queued_total');
const framesQueuedCell = metricCell('ring_frames_queued_total');
const encoder = new TextEncoder();

/** A connection that occupies a slot of a shard. */
export interface SlotOwner {
  /** The reserved slot. */
  readonly slot: number;
  /** Whether the client broke a rule: it sent too many messages, or an invalid text. */
  violated: boolean;
  /**
   * Sends texts in one write.
   * @returns the number of accepted texts.
   */
  send(texts: readonly string[]): number;
  /** Closes the socket, if it is open. */
  end(code: number, reason: string): void;
}

/**
 * The front's connection to one shard: its ring, its slots, and its messages.
 *
 * A slot belongs to a connection from `reserve` until the shard reports `released`. That may be long after the socket
 * is gone. The slot's generation grows with every release, so that the channel recognises messages about an earlier
 * owner.
 */
export class ShardChannel {
  /**
   * Whether the shard accepts streams. A shard that was given up accepts none. Its sockets are closed a little later.
   */
  alive = true;
  /** Maximum payload of a record, in bytes. */
  readonly largestRecord: number;
  readonly #producer: RingProducer;
  readonly #controls: ControlQueue;
  readonly #connections: (SlotOwner | null)[];
  readonly #generations: Uint32Array;
  readonly #free: number[] = [];
  readonly #ended: Promise<void>;
  readonly #onMessage = (messages: readonly ShardMessage[]): void => this.#receive(messages);
  #end!: () => void;
  #draining = false;
  #lost = false;

  /** @param onDead called once when the shard is lost, before the channel's sockets are closed with 1012. */
  constructor(
    private readonly link: ShardLink,
    slots: number,
    limits: TextLimits,
    private readonly metrics: MetricsRow,
    onDead: (channel: ShardChannel) => void,
    copy?: FrameCopier,
  ) {
    this.#producer = new RingProducer(link.ring, copy);
    const onQueued = (): void => metrics.addCell(queuedCell, 1);
    const onFrameQueued = (): void => metrics.addCell(framesQueuedCell, 1);
    this.#controls = new ControlQueue(this.#producer, { ...controlLimits(limits), onQueued, onFrameQueued });
    this.#connections = new Array<SlotOwner | null>(slots).fill(null);
    this.#generations = new Uint32Array(slots);
    for (let slot = slots - 1; slot >= 0; slot--) this.#free.push(slot);
    this.largestRecord = largestPayload(link.ring.byteLength - headerBytes);
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    link.port.on('message', this.#onMessage);
    void link.dead.then(
      () => this.#die(onDead),
      () => this.#die(onDead),
    );
  }

  /**
   * Returns the shard's progress.
   * @param now `ringClock()`.
   */
  progress(now: number): Progress {
    return {
      beats: this.#producer.beats(),
      taken: this.#producer.taken(),
      waiting: this.#producer.oldestAge(now),
    };
  }

  /** Gives the shard up. It accepts no more streams. When its spill is safe, its sockets are closed. */
  giveUp(why: string): void {
    if (!this.alive) return;
    this.alive = false;
    this.link.giveUp(why);
  }

  /**
   * Reserves a slot.
   * @returns the slot; -1 when no slot is free.
   */
  reserve(): number {
    return this.#free.pop() ?? -1;
  }

  /** Frees a reserved slot if `open` was never called for it. */
  giveBack(slot: number): void {
    this.#free.push(slot);
  }

  /**
   * Begins a session in a reserved slot.
   * @returns false when the shard cannot accept the session. The slot is then free again.
   */
  open(connection: SlotOwner, request: Omit<OpenRequest, 'generation'>): boolean {
    const { slot } = connection;
    const open: OpenRequest = { ...request, generation: this.#generations[slot]! };
    if (this.#draining || !this.alive || !this.#control(RecordKind.open, slot, open)) {
      this.giveBack(slot);
      return false;
    }
    this.#connections[slot] = connection;
    return true;
  }

  /** Whether the shard was asked to finish. It then accepts no further records. */
  get isDraining(): boolean {
    return this.#draining;
  }

  /**
   * Copies one binary message into the ring.
   * @returns false when there is no space, or the shard accepts no further records.
   */
  audio(slot: number, frame: FrameBytes, arrival: number): boolean {
    return this.#frame(RecordKind.audio, slot, frame, arrival);
  }

  /**
   * Marks the position at which audio was dropped.
   * @param lost payload of `LostFrames`.
   * @param next length in bytes of the following frame. The mark is written only if this frame also fits. Otherwise the
   *   frame would be dropped and the gap would grow.
   * @returns false when there is no space.
   */
  gap(slot: number, lost: Uint8Array, next: number, arrival: number): boolean {
    // Each of the two records may need padding before it. The padding is at most as long as the record.
    const needed = 2 * (lost.length + next + 3 * recordHeaderBytes);
    const { size } = this.#producer;
    if (this.#producer.free() < Math.min(needed, size)) return false;
    return this.#frame(RecordKind.gap, slot, lost, arrival);
  }

  /** Passes a text message on. Unless the result is `taken`, the caller must close the socket. */
  text(slot: number, payload: Uint8Array): Taking {
    return this.#draining ? 'taken' : this.#controls.write(RecordKind.text, slot, payload);
  }

  /**
   * Records that the socket of a slot has closed. Writes exactly one close record for every open, even if the shard
   * requested the close. Writes none after a drain record, which ends every session anyway. Also writes none for a slot
   * that the shard has already released.
   */
  closed(connection: SlotOwner, notice: CloseNotice): void {
    const { slot } = connection;
    if (this.#connections[slot] !== connection) return;
    this.#connections[slot] = null;
    if (this.alive && !this.#draining) {
      this.#control(RecordKind.close, slot, notice);
    }
  }

  /**
   * Asks the shard to finish all sessions, and writes no further record. Resolves when the shard has finished or is
   * lost.
   */
  async drain(): Promise<void> {
    if (this.alive && !this.#draining) {
      this.#controls.write(RecordKind.drain, 0, nothing);
      this.#draining = true;
    }
    await this.#ended;
  }

  /** Stops receiving from the shard and closes the port. */
  close(): void {
    this.#controls.clear();
    this.link.port.off('message', this.#onMessage);
    this.link.port.close();
  }

  #frame(kind: number, slot: number, frame: FrameBytes, arrival: number): boolean {
    if (this.#draining) return false;
    if (this.#controls.length === 0 && this.#producer.write(kind, slot, frame, arrival)) return true;
    return this.#controls.writeFrame(kind, slot, frame, arrival);
  }

  #control(kind: number, slot: number, body: OpenRequest | CloseNotice): boolean {
    return this.#controls.write(kind, slot, encoder.encode(JSON.stringify(body))) === 'taken';
  }

  #receive(messages: readonly ShardMessage[]): void {
    for (let index = 0; index < messages.length; index++) {
      const message = messages[index]!;
      switch (message.kind) {
        case 'send':
          index = this.#send(messages, index);
          break;
        case 'close':
          this.#close(message);
          break;
        case 'released':
          this.#release(message.slot, message.generation);
          break;
        case 'drained':
          this.#end();
          break;
      }
    }
  }

  #close({ slot, generation, code, reason, violation }: ShardMessage & { kind: 'close' }): void {
    const owner = this.#owner(slot, generation);
    if (owner === null) return;
    owner.violated ||= violation;
    owner.end(code, reason);
  }

  /**
   * Sends consecutive texts for one socket in one write.
   * @param first index of the first text.
   * @returns the index of the last text.
   */
  #send(messages: readonly ShardMessage[], first: number): number {
    const { slot, generation } = messages[first] as ShardMessage & { kind: 'send' };
    const texts: string[] = [];
    let last = first;
    for (let index = first; index < messages.length; index++) {
      const message = messages[index]!;
      if (message.kind !== 'send' || message.slot !== slot || message.generation !== generation) break;
      texts.push(message.text);
      last = index;
    }
    const taken = this.#owner(slot, generation)?.send(texts) ?? 0;
    this.metrics.addCell(sentCell, taken);
    this.metrics.addCell(unsentCell, texts.length - taken);
    return last;
  }

  #owner(slot: number, generation: number): SlotOwner | null {
    return this.#generations[slot] === generation ? (this.#connections[slot] ?? null) : null;
  }

  #release(slot: number, generation: number): void {
    if (this.#generations[slot] !== generation) return;
    this.#generations[slot] = generation + 1;
    const connection = this.#connections[slot];
    this.#connections[slot] = null;
    this.#free.push(slot);
    // A shard releases a session only after its socket has closed or the shard has requested the close. Any other
    // release means that the session was lost.
    connection?.end(1011, 'session_ended');
  }

  #die(onDead: (channel: ShardChannel) => void): void {
    if (this.#lost) return;
    this.#lost = true;
    this.alive = false;
    this.#controls.clear();
    onDead(this);
    for (const connection of this.#connections) connection?.end(1012, 'shard_lost');
    this.#end();
  }
}
