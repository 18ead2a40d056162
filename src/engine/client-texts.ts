import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { type ClientMessage, parseClientMessage } from './client-message.js';
import type { TextLimits } from './client-text.js';
import type { EngineClock } from './clock.js';
import { ImageAssemblies } from './image-assemblies.js';
import * as events from './server-events.js';
import { TextBacklog } from './text-backlog.js';

type Message<Type extends ClientMessage['type']> = Extract<ClientMessage, { type: Type }>;

export interface ClientTextsOptions {
  readonly limits: TextLimits;
  readonly clock: EngineClock;
  readonly metrics: MetricsRow;
  readonly log: Logger;
  suggested(message: Message<'suggested_transcript'>): void;
  assigned(message: Message<'speaker_assigned'>): void;
  /** Sends an event to the client. */
  send(text: string): void;
}

/** The text messages of one socket: each is read in its turn, as far as the stream's allowance reaches. */
export class ClientTexts {
  readonly #options: ClientTextsOptions;
  readonly #backlog: TextBacklog;
  readonly #images = new ImageAssemblies();

  constructor(options: ClientTextsOptions) {
    this.#options = options;
    this.#backlog = new TextBacklog(options.limits);
  }

  /**
   * Reads a text now, or keeps it until it may be read.
   * @param bytes UTF-8; not kept.
   * @returns whether texts wait: `readDue` is to be called until none do.
   * @throws CochleaError for a rule that the client broke.
   */
  add(bytes: Buffer): boolean {
    const text = this.#backlog.add(bytes, this.#options.clock.monotonic());
    if (text === undefined) return true;
    this.#read(text);
    return false;
  }

  /**
   * Reads what waits and may be read by now.
   * @returns whether more waits.
   * @throws CochleaError for a rule that the client broke.
   */
  readDue(): boolean {
    const { clock } = this.#options;
    for (;;) {
      const text = this.#backlog.take(clock.monotonic());
      if (text === undefined) return this.#backlog.length > 0;
      this.#read(text);
    }
  }

  /**
   * The socket is gone; what it said before that still counts. Takes one text in each run of the event loop, so that no
   * other stream waits. Never rejects.
   */
  async readRest(): Promise<void> {
    for (let text = this.#backlog.next(); text !== undefined; text = this.#backlog.next()) {
      try {
        this.#read(text);
      } catch (thrown) {
        this.#options.log.debug({ err: thrown }, 'a text of a closed socket broke a rule');
      }
      await nextTurn();
    }
  }

  /** Forgets what waits. */
  clear(): void {
    this.#backlog.clear();
  }

  /** @param text null for what is no message, whatever it holds. */
  #read(text: string | null): void {
    const message: ClientMessage | null = text === null ? { type: 'invalid' } : parseClientMessage(text);
    const { clock, log, metrics } = this.#options;
    switch (message?.type) {
      case 'suggested_transcript':
        this.#options.suggested(message);
        return;
      case 'speaker_assigned':
        this.#options.assigned(message);
        return;
      case 'image_chunk':
        this.#images.add(message, clock.wall());
        metrics.add('images_ignored_total');
        return;
      case 'finalization_reason':
        log.debug({ reason: message.reason }, 'client said why it stops');
        return;
      case 'refused':
        this.#options.send(events.messageRefused(message.refusal));
        return;
      case 'invalid':
        metrics.add('texts_invalid_total');
    }
  }
}
