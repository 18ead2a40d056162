import type { CochleaError } from '../../errors/index.js';
import { type Address, type Outbox, refusalReason } from './outbox.js';

/** The way from a session to its client. What is said while the stream starts up waits until `ready` was sent. */
export class ClientSender {
  readonly #outbox: Outbox;
  readonly #address: Address;
  /** Messages that must not overtake `ready`; null once it was sent. */
  #early: string[] | null = [];
  #closed = false;

  constructor(outbox: Outbox, address: Address) {
    this.#outbox = outbox;
    this.#address = address;
  }

  send(text: string): void {
    if (this.#closed) return;
    if (this.#early !== null) this.#early.push(text);
    else this.sendAtOnce(text);
  }

  /** Sends a message of the start-up sequence, or one that no other is to precede. */
  sendAtOnce(text: string): void {
    if (!this.#closed) this.#outbox.send(this.#address, text);
  }

  /** `ready` was sent. */
  ready(): void {
    const early = this.#early ?? [];
    this.#early = null;
    for (const text of early) this.send(text);
  }

  /** Closes the socket; nothing is sent after that. @param violation whether the client broke a rule. */
  refuse(error: CochleaError, violation: boolean): void {
    this.#outbox.close(this.#address, error.entry.close ?? 1011, refusalReason(error), violation);
    this.close();
  }

  /** The socket is gone, or no longer this session's. */
  close(): void {
    this.#closed = true;
    this.#early = null;
  }
}
