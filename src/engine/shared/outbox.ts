import { longestCloseReason } from '../../common/index.js';
import type { CochleaError } from '../../errors/index.js';
import type { ShardMessage } from '../../wire/index.js';

/**
 * Address for the messages of a session. The generation distinguishes sessions that use the same slot one after the
 * other.
 */
export interface Address {
  readonly slot: number;
  readonly generation: number;
}

export interface ShardPort {
  postMessage(messages: ShardMessage[]): void;
}

/**
 * Returns the close reason for a refused client. For a refused format (1003) it adds the remedy, in as many complete
 * sentences as fit. For other codes, the reason is the message alone, because clients compare the reason with known
 * texts.
 */
export const refusalReason = ({ entry, message, remedy }: CochleaError): string => {
  if (entry.close !== 1003) return message;
  let reason = `${message}.`;
  for (const sentence of remedy.split(/(?<=\.)\s+/)) {
    const longer = `${reason} ${sentence}`;
    if (Buffer.byteLength(longer) > longestCloseReason) break;
    reason = longer;
  }
  return reason;
};

/**
 * Sends messages from a shard to the front. All messages of one task of the event loop are posted as one array, in
 * order. Each post costs several microseconds, regardless of its size.
 */
export class Outbox {
  #messages: ShardMessage[] = [];
  #scheduled = false;

  constructor(private readonly port: ShardPort) {}

  send(to: Address, text: string): void {
    this.#push({ kind: 'send', slot: to.slot, generation: to.generation, text });
  }

  /**
   * Closes a socket. The front shortens a reason that is too long for a close frame.
   * @param violation whether the client broke a rule.
   */
  close(to: Address, code: number, reason: string, violation: boolean): void {
    this.#push({
      kind: 'close',
      slot: to.slot,
      generation: to.generation,
      code,
      reason,
      violation,
    });
  }

  released(to: Address): void {
    this.#push({ kind: 'released', slot: to.slot, generation: to.generation });
  }

  drained(): void {
    this.#push({ kind: 'drained' });
  }

  flush = (): void => {
    this.#scheduled = false;
    if (this.#messages.length === 0) return;
    const batch = this.#messages;
    this.#messages = [];
    this.port.postMessage(batch);
  };

  #push(message: ShardMessage): void {
    this.#messages.push(message);
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(this.flush);
  }
}
