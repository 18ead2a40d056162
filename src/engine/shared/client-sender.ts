import type { CochleaError } from '../../errors/index.js';
import { type Address, type Outbox, refusalReason } from './outbox.js';

/** Sends the messages of a session to its client. Messages that arise during start-up are sent after `ready`. */
export class ClientSender {
  /** Messages that must follow `ready`; null once `ready` was sent. */
  #early: string[] | null = [];
  #closed = false;

  constructor(
    private readonly outbox: Outbox,
    private readonly address: Address,
  ) {}

  send(text: string): void {
    if (this.#closed) return;
    if (this.#early !== null) this.#early.push(text);
    else this.sendAtOnce(text);
  }

  /** Sends a message of the start-up sequence, or a message that must not wait for `ready`. */
  sendAtOnce(text: string): void {
    if (!this.#closed) this.outbox.send(this.address, text);
  }

  /** Sends the waiting messages. The session calls this after it sent `ready`. */
  ready(): void {
    const early = this.#early ?? [];
    this.#early = null;
    for (const text of early) this.send(text);
  }

  /** Closes the socket with an error. Later messages are not sent. @param violation whether the client broke a rule. */
  refuse(error: CochleaError, violation: boolean): void {
    this.outbox.close(this.address, error.entry.close ?? 1011, refusalReason(error), violation);
    this.close();
  }

  /** Stops sending, because the socket is closed or another session now uses its slot. */
  close(): void {
    this.#closed = true;
    this.#early = null;
  }
}
