import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fixedLimits } from '../../../config/limits/index.js';
import type { ClientAddress } from '../../../identity/index.js';
import type { StreamMessage } from '../../../store/accounts/index.js';
import { eventComment } from '../../../wire/index.js';
import { eventStreamHeaders } from '../../answers/index.js';
import type { Revision } from './revisions.js';

/** A message whose stream is already known. */
export type OwnMessage = Omit<StreamMessage, 'stream'>;

/** Answers a message on its stream. Never throws. */
export type AnswerMessage = (stream: ToolStream, message: OwnMessage) => Promise<void>;

const idBytes = 24;

/** The client that opens a stream, and its request. */
export interface Opening {
  readonly uid: string;
  readonly client: ClientAddress;
  /** Path to which the client sends messages. `sessionId` with the stream's id is added to it. */
  readonly path: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly answer: AnswerMessage;
}

/** A stream of the older transport. Clients send messages in separate requests that name the stream. The answers are sent on the stream. */
export class ToolStream {
  readonly id = randomBytes(idBytes).toString('base64url');
  readonly uid: string;
  readonly client: ClientAddress;
  /** The request that opened the stream. */
  readonly request: FastifyRequest;
  /** The credential of the last message. */
  authorization: string;
  /** The revision that `initialize` agreed on; null before `initialize`. */
  revision: Revision | null = null;
  /** `performance.now()` of the last credential check. */
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

  /** Whether the answer to the opening request has begun and not ended. */
  get isOpen(): boolean {
    const { raw } = this.#reply;
    return this.#begun && !raw.writableEnded && !raw.destroyed;
  }

  /** Answers a message for this stream. */
  answer(message: OwnMessage): Promise<void> {
    return this.#answer(this, message);
  }

  /** Begins the event stream, and sends the address for messages. @param onEnd called once, when client or sidecar ends the stream */
  begin(onEnd: () => void): void {
    const { raw } = this.#reply;
    const headers = this.#reply.headers(eventStreamHeaders).getHeaders();
    // `hijack` removes the stream from Fastify: no time limit applies, and no hook waits for its end.
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

  /** Sends a comment, which prevents proxies from closing an idle stream. Unread comments take little memory. */
  comment(): void {
    this.#write(eventComment);
  }

  end(): void {
    if (this.isOpen) this.#reply.raw.end();
  }

  /** Ends the stream and drops the data that its client has not read. */
  cut(): void {
    this.#reply.raw.destroy();
  }

  #write(text: string): void {
    if (this.isOpen) this.#reply.raw.write(text);
  }
}
