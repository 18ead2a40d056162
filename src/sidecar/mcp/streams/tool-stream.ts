import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fixedLimits } from '../../../config/limits/index.js';
import type { ClientAddress } from '../../../identity/index.js';
import type { StreamMessage } from '../../../store/accounts/index.js';
import { eventComment } from '../../../wire/index.js';
import type { Revision } from './revisions.js';

/** A message for a stream that is known. */
export type OwnMessage = Omit<StreamMessage, 'stream'>;

/** Answers a message on its stream. It never throws. */
export type AnswerMessage = (stream: ToolStream, message: OwnMessage) => Promise<void>;

const idBytes = 24;

/** Headers of every stream of events. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;

/** Who opens a stream, and with what. */
export interface Opening {
  readonly uid: string;
  readonly client: ClientAddress;
  /** Path at which messages are sent, which gets the id of the stream as `sessionId`. */
  readonly path: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly answer: AnswerMessage;
}

/** A stream of the older transport: messages come by requests that name it, and their answers go out on it. */
export class ToolStream {
  readonly id = randomBytes(idBytes).toString('base64url');
  readonly uid: string;
  readonly client: ClientAddress;
  /** The request that opened it. */
  readonly request: FastifyRequest;
  /** The credential that was used with it last. */
  authorization: string;
  /** What `initialize` agreed on; null before. */
  revision: Revision | null = null;
  /** `performance.now()` of the last look at its credential. */
  checkedAt: number;
  readonly endsAt: number;
  readonly #path: string;
  readonly #answer: AnswerMessage;
  #begun = false;
  readonly #reply: FastifyReply;

  constructor({ uid, client, path, request, reply, answer }: Opening, now: number) {
    this.uid = uid;
    this.client = client;
    this.request = request;
    this.authorization = request.headers.authorization ?? '';
    this.checkedAt = now;
    this.endsAt = now + fixedLimits.toolSessionAge.value;
    this.#path = path;
    this.#reply = reply;
    this.#answer = answer;
  }

  /** Bytes that the client has not read. */
  get unread(): number {
    return this.#reply.raw.writableLength;
  }

  /** Whether its answer has begun, and goes on. */
  get isOpen(): boolean {
    const { raw } = this.#reply;
    return this.#begun && !raw.writableEnded && !raw.destroyed;
  }

  /** Answers a message that came for it. */
  answer(message: OwnMessage): Promise<void> {
    return this.#answer(this, message);
  }

  /** Begins the answer, with where messages are sent. @param onEnd called once, when client or sidecar ends the stream */
  begin(onEnd: () => void): void {
    const { raw } = this.#reply;
    const headers = this.#reply.headers(eventStreamHeaders).getHeaders();
    // The stream has no time in which it has to be answered, and its end is nothing that a hook waits for.
    this.#reply.hijack();
    this.#begun = true;
    raw.on('close', onEnd);
    raw.on('error', () => undefined);
    raw.writeHead(200, headers as Record<string, string>);
    raw.write(`event: endpoint\ndata: ${this.#path}?sessionId=${this.id}\n\n`);
  }

  /** Sends an answer. @param answer JSON text */
  send(answer: string): void {
    this.#write(`event: message\ndata: ${answer}\n\n`);
  }

  /** Keeps proxies from ending the stream. What a client does not read of this adds up to little. */
  comment(): void {
    this.#write(eventComment);
  }

  end(): void {
    if (this.isOpen) this.#reply.raw.end();
  }

  /** Ends it without what the client has not read. */
  cut(): void {
    this.#reply.raw.destroy();
  }

  #write(text: string): void {
    if (this.isOpen) this.#reply.raw.write(text);
  }
}
