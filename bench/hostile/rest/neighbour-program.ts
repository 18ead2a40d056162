/**
 * The process of the accounts that send requests at the same time as an honest user. For each phase, it receives an
 * order over IPC, sends the ordered requests, and answers with counts. It connects to loopback only and ends with its
 * parent process.
 */
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { AudioFiles } from './audio-files.js';
import type { Form, RestKind } from './kinds.js';
import { type NeighbourRequest, requestsOf } from './requests.js';

/** An account with its credentials. */
export interface Account {
  readonly uid: string;
  readonly key: string;
  readonly token: string;
  /** Client address that the account's requests name. */
  readonly address: string;
}

export interface NeighbourOrder {
  readonly port: number;
  readonly kind: RestKind;
  readonly form: Form;
  readonly accounts: readonly Account[];
  /** Length of the phase, ms. */
  readonly milliseconds: number;
  readonly audio: AudioFiles;
}

/** Messages to the program. `finish` is the number of ms that unanswered requests may still take. */
export type NeighbourMessage = { readonly begin: NeighbourOrder } | { readonly finish: number };

/** Results of the requests of a phase. */
export interface NeighbourCounts {
  readonly sent: number;
  /**
   * Number of requests by HTTP status. `unanswered`: this program closed the connection at the end of the phase.
   * `broken`: the server closed it.
   */
  readonly ended: Readonly<Record<string, number>>;
}

/** Bytes per second that a slow reader reads. */
const slowRate = 16_384;

/** Reads an answer. @param done called when the body of the answer has ended. */
const readAnswer = (response: IncomingMessage, slow: boolean, done: () => void): void => {
  response.on('error', () => undefined);
  response.once('close', done);
  if (!slow) {
    response.resume();
    return;
  }
  response.on('data', (piece: Buffer) => {
    response.pause();
    setTimeout(() => response.resume(), (1000 * piece.length) / slowRate);
  });
};

/** The requests of one phase. */
class Phase {
  readonly #order: NeighbourOrder;
  readonly #open = new Set<ClientRequest>();
  readonly #ended: Record<string, number> = {};
  readonly #timers: NodeJS.Timeout[] = [];
  #sent = 0;
  #cut = false;

  constructor(order: NeighbourOrder) {
    this.#order = order;
    const { accounts, milliseconds, kind, form, audio } = order;
    const requests = requestsOf(kind, form, audio);
    for (const account of accounts) {
      for (const planned of requests) {
        this.#timers.push(setTimeout(() => this.#send(account, planned), planned.at * milliseconds));
      }
    }
  }

  #send(account: Account, planned: NeighbourRequest): void {
    this.#sent++;
    const { method, path, credential, type, body, slow = false } = planned;
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const sending = request({
      host: '127.0.0.1',
      port: this.#order.port,
      method,
      path,
      agent: false,
      headers: {
        authorization: `Bearer ${account[credential]}`,
        'x-forwarded-for': account.address,
        ...(type === undefined ? {} : { 'content-type': type }),
        ...(bytes === undefined ? {} : { 'content-length': bytes.length }),
      },
    });
    this.#open.add(sending);
    let status: string | undefined;
    const end = (how: string): void => {
      if (!this.#open.delete(sending)) return;
      this.#ended[how] = (this.#ended[how] ?? 0) + 1;
    };
    const broken = (): string => status ?? (this.#cut ? 'unanswered' : 'broken');
    sending.on('error', () => end(broken()));
    sending.on('response', (response) => {
      status = String(response.statusCode);
      readAnswer(response, slow, () => end(broken()));
    });
    sending.end(bytes);
  }

  /** @param drain ms that unanswered requests may still take. */
  async finish(drain: number): Promise<NeighbourCounts> {
    for (const end = Date.now() + drain; this.#open.size > 0 && Date.now() < end; ) await pause(50);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#cut = true;
    for (const sending of this.#open) sending.destroy();
    while (this.#open.size > 0) await pause(10);
    return { sent: this.#sent, ended: this.#ended };
  }
}

let phase: Phase | undefined;

process.on('message', async (message: NeighbourMessage) => {
  if ('begin' in message) {
    phase = new Phase(message.begin);
    process.send?.('begun');
    return;
  }
  const counts = await phase?.finish(message.finish);
  phase = undefined;
  if (process.connected) process.send?.(counts);
});
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());
