import type { IncomingMessage, ServerResponse } from 'node:http';
import { endUnread } from '../../common/index.js';
import type { HttpResponse, ResponseBytes } from '../listener/index.js';
import { nodeLimits } from './limits.js';
import { endGently } from './lingering.js';

const nothing = new ArrayBuffer(0);

/** Memory of its own: what comes after it would find other bytes in Node's. */
const ownBuffer = (chunk: Buffer): ArrayBuffer => new Uint8Array(chunk).buffer;

/** The answer to a request of `node:http`, in the shape that the front uses. */
export class NodeResponse implements HttpResponse {
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #address: string;
  #status = 200;
  #reason: string | undefined;
  readonly #headers: string[] = [];
  #begun = false;
  #offset = 0;
  /** The answer is complete, or the connection is gone. */
  #over = false;
  #onAborted: () => void = () => undefined;
  #onContinue: (() => void) | undefined;

  /** @param onContinue tells the client to send its body, where it waits for that. */
  constructor(message: IncomingMessage, response: ServerResponse, onContinue?: () => void) {
    this.#message = message;
    this.#response = response;
    this.#onContinue = onContinue;
    this.#address = message.socket.remoteAddress ?? '';
    // Errors of a connection are told by its close.
    message.on('error', () => undefined);
    response.on('error', () => undefined);
    response.once('close', () => this.#closed());
  }

  getRemoteAddressAsText(): ArrayBuffer {
    return new TextEncoder().encode(this.#address).buffer;
  }

  onAborted(handler: () => void): void {
    this.#onAborted = handler;
  }

  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): void {
    this.#onContinue?.();
    this.#onContinue = undefined;
    const message = this.#message;
    message.on('data', (chunk: Buffer) => {
      if (!this.#over) handler(ownBuffer(chunk), false);
    });
    message.on('end', () => {
      if (!this.#over) handler(nothing, true);
    });
  }

  pause(): void {
    this.#message.pause();
  }

  resume(): void {
    this.#message.resume();
  }

  /** Node holds what is written within one turn back and sends it together. */
  cork(write: () => void): void {
    write();
  }

  writeStatus(status: string): this {
    const blank = status.indexOf(' ');
    this.#status = Number(status.slice(0, blank));
    this.#reason = status.slice(blank + 1);
    return this;
  }

  writeHeader(name: string, value: ResponseBytes): this {
    this.#headers.push(name, typeof value === 'string' ? value : Buffer.from(value).toString('latin1'));
    return this;
  }

  write(chunk: ResponseBytes): boolean {
    this.#begin();
    this.#offset += chunk.length;
    return this.#response.write(chunk);
  }

  getWriteOffset(): number {
    return this.#offset;
  }

  /** Node takes every piece whole; one counts as taken when it has left. */
  tryEnd(chunk: Uint8Array, totalSize: number): [taken: boolean, done: boolean] {
    this.#begin(totalSize);
    let flows = !this.#response.writableNeedDrain;
    if (chunk.length > 0) {
      this.#offset += chunk.length;
      flows = this.#response.write(chunk);
    }
    if (!flows || this.#offset < totalSize) return [flows, false];
    this.#finish();
    return [true, true];
  }

  onWritable(handler: (offset: number) => boolean): void {
    this.#response.on('drain', () => {
      if (!this.#over) handler(this.#offset);
    });
  }

  end(body = '', closeConnection = false): void {
    // What is left of a body that was not waited for would keep the connection.
    if (closeConnection || !this.#isWhole()) this.#response.shouldKeepAlive = false;
    this.#begin(Buffer.byteLength(body));
    this.#finish(body);
  }

  endWithoutBody(reportedContentLength?: number): void {
    if (reportedContentLength !== undefined) {
      this.#headers.push('Content-Length', String(reportedContentLength));
    }
    this.#begin();
    this.#finish();
  }

  close(): void {
    this.#over = true;
    this.#message.socket.destroy();
  }

  /** Hands the connection over to an upgrade: nothing of this response is written any more. */
  release(): void {
    this.#over = true;
    this.#response.detachSocket(this.#message.socket);
  }

  /** Node says that a request without a body is complete only after its handler has returned. */
  #isWhole(): boolean {
    const { complete, headers } = this.#message;
    return (
      complete || (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0)
    );
  }

  #begin(length?: number): void {
    if (this.#begun) return;
    this.#begun = true;
    if (length !== undefined && !Number.isNaN(length)) this.#headers.push('Content-Length', String(length));
    const response = this.#response;
    if (this.#reason !== undefined) response.statusMessage = this.#reason;
    response.writeHead(this.#status, this.#headers);
  }

  #finish(body?: string): void {
    this.#over = true;
    const { socket } = this.#message;
    const response = this.#response;
    // Node would destroy the connection when the last byte has left, which resets it where bytes of the client are unread.
    const message = this.#message;
    if (!response.shouldKeepAlive) {
      // A function that is assigned as it is written would be made among old objects by V8 and keep the request until a full collection.
      const end = (): void => (message.complete ? endGently(socket) : endUnread(message));
      socket.destroySoon = end;
    }
    const timer = setTimeout(() => socket.destroy(), nodeLimits.answerTimeout);
    timer.unref();
    const left = (): void => clearTimeout(timer);
    response.once('finish', left).once('close', left);
    response.end(body);
    this.#message.resume();
  }

  #closed(): void {
    if (this.#over) return;
    this.#over = true;
    this.#onAborted();
  }
}
