import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { type ClientMessage, parseClientMessage } from './client-message.js';
import type { ClientSender } from './client-sender.js';
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
  readonly client: ClientSender;
}

/** The text messages of one socket: each is read in its turn, as far as the stream's allowance reaches. */
export class ClientTexts {
  readonly #options: ClientTextsOptions;
  readonly #backlog: TextBacklog;
  readonly #images = new ImageAssemblies();
  /** Set once the socket is gone: called when nothing waits any more. */
  #finished: (() => void) | undefined;

  constructor(options: ClientTextsOptions) {
    this.#options = options;
    this.#backlog = new TextBacklog(options.limits);
  }

  /**
   * Keeps a text until it is read by `readOne`.
   * @param bytes UTF-8; not kept.
   * @throws CochleaError text_too_large, texts_over_budget
   */
  add(bytes: Buffer): void {
    if (!this.#backlog.add(bytes)) this.#options.metrics.add('texts_invalid_total');
  }

  /**
   * Reads the oldest text that may be read by now.
   * @returns whether there was one.
   * @throws CochleaError for a rule that the client broke.
   */
  readOne(): boolean {
    const finishing = this.#finished !== undefined;
    const text = finishing ? this.#backlog.next() : this.#backlog.take(this.#options.clock.monotonic());
    try {
      if (text !== undefined) this.#read(text);
    } catch (thrown) {
      if (!finishing) throw thrown;
      this.#options.log.debug({ err: thrown }, 'a text of a closed socket broke a rule');
    }
    if (this.#backlog.length === 0) this.#finished?.();
    return text !== undefined;
  }

  /** How many texts wait to be read. */
  get waiting(): number {
    return this.#backlog.length;
  }

  /** The socket is gone; what it sent before that still counts. Resolves when `readOne` has read it all. */
  finish(): Promise<void> {
    if (this.#backlog.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#finished = resolve;
    });
  }

  /** Forgets what waits. */
  clear(): void {
    this.#backlog.clear();
    this.#finished?.();
  }

  #read(text: string): void {
    const message = parseClientMessage(text);
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
        this.#options.client.send(events.messageRefused(message.refusal));
        return;
      case 'invalid':
        metrics.add('texts_invalid_total');
    }
  }
}
