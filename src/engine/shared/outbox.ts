import { longestCloseReason } from '../../common/index.js';
import type { CochleaError } from '../../errors/index.js';
import type { ShardMessage } from '../../wire/index.js';

/** Where a session's messages go: a slot in one of its lives. */
export interface Address {
  readonly slot: number;
  readonly generation: number;
}

export interface ShardPort {
  postMessage(messages: ShardMessage[]): void;
}

/**
 * What a refused client reads. Of a refused format (1003) also what to send instead, in as many whole sentences as fit:
 * other messages are what clients compare with.
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
 * Messages from a shard to the front. Everything said within one run of the event loop's current task leaves as one
 * array, in order: a message costs several microseconds to post, whatever is in it.
 */
export class Outbox {
  readonly #port: ShardPort;
  #messages: ShardMessage[] = [];
  #scheduled = false;

  constructor(port: ShardPort) {
    this.#port = port;
  }

  send(to: Address, text: string): void {
    this.#push({ kind: 'send', slot: to.slot, generation: to.generation, text });
  }

  /**
   * Closes a socket. The front cuts a reason that is too long for a close frame.
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
    this.#port.postMessage(batch);
  };

  #push(message: ShardMessage): void {
    this.#messages.push(message);
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(this.flush);
  }
}
