import type { IncomingMessage, ServerResponse } from 'node:http';
import { endUnread } from '../../common/index.js';
import type { HttpResponse, ResponseBytes } from '../listener/index.js';
import type { DroppedBodies } from './dropped-bodies.js';
import { nodeLimits } from './limits.js';
import { endGently } from './lingering.js';

const nothing = new ArrayBuffer(0);

/** Copies a chunk to a separate buffer, because the memory of Node's buffer may also contain other data. */
const ownBuffer = (chunk: Buffer): ArrayBuffer => new Uint8Array(chunk).buffer;

/** The response to a request of `node:http`, with the methods of `HttpResponse`. */
export class NodeResponse implements HttpResponse {
  readonly #address: string;
  #status = 200;
  #reason: string | undefined;
  readonly #headers: string[] = [];
  #begun = false;
  #offset = 0;
  /** Whether the answer is complete or the connection is lost. */
  #over = false;
  #onAborted: () => void = () => undefined;
  #onContinue: (() => void) | undefined;

  /**
   * @param dropped drops bodies that arrive behind their answers. Absent for a refused upgrade, which has no body.
   * @param onContinue sends `100 Continue` to a client that waits before it sends its body.
   */
  constructor(
    private readonly message: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly dropped?: DroppedBodies,
    onContinue?: () => void,
  ) {
    this.#onContinue = onContinue;
    this.#address = message.socket.remoteAddress ?? '';
    // Errors of a connection are handled by its close event.
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
    const message = this.message;
    message.on('data', (chunk: Buffer) => {
      if (!this.#over) handler(ownBuffer(chunk), false);
    });
    message.on('end', () => {
      if (!this.#over) handler(nothing, true);
    });
  }

  pause(): void {
    this.message.pause();
  }

  resume(): void {
    this.message.resume();
  }

  /** No action is needed, because Node buffers all output of one turn and sends it together. */
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
    return this.response.write(chunk);
  }

  getWriteOffset(): number {
    return this.#offset;
  }

  /** Node always accepts the complete piece. The piece counts as sent if Node need not buffer it. */
  tryEnd(chunk: Uint8Array, totalSize: number): [taken: boolean, done: boolean] {
    this.#begin(totalSize);
    let flows = !this.response.writableNeedDrain;
    if (chunk.length > 0) {
      this.#offset += chunk.length;
      flows = this.response.write(chunk);
    }
    if (!flows || this.#offset < totalSize) return [flows, false];
    this.#finish();
    return [true, true];
  }

  onWritable(handler: (offset: number) => boolean): void {
    this.response.on('drain', () => {
      if (!this.#over) handler(this.#offset);
    });
  }

  end(body = '', closeConnection = false): void {
    // If a part of the request's body is unread, it would block the next request on the connection.
    if (closeConnection || !this.#isWhole()) this.response.shouldKeepAlive = false;
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
    this.message.socket.destroy();
  }

  /** Detaches the connection for an upgrade. This response writes nothing more. */
  release(): void {
    this.#over = true;
    this.response.detachSocket(this.message.socket);
  }

  /**
   * Returns whether the complete request has arrived. For a request without a body, Node sets `complete` only after the
   * request's handler has returned.
   */
  #isWhole(): boolean {
    const { complete, headers } = this.message;
    return (
      complete || (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0)
    );
  }

  #begin(length?: number): void {
    if (this.#begun) return;
    this.#begun = true;
    if (length !== undefined && !Number.isNaN(length)) this.#headers.push('Content-Length', String(length));
    const response = this.response;
    if (this.#reason !== undefined) response.statusMessage = this.#reason;
    response.writeHead(this.#status, this.#headers);
  }

  #finish(body?: string): void {
    this.#over = true;
    const { socket } = this.message;
    const response = this.response;
    // Node itself would destroy the connection after the last byte of the answer. If the client sent bytes that were
    // not read, this would reset the connection.
    const message = this.message;
    const stop = this.#isWhole() ? undefined : this.dropped?.drop(message);
    if (!response.shouldKeepAlive) {
      // The function is first stored in a variable. Assigned directly to the property, it would be allocated in V8's
      // old generation and keep the request in memory until a full collection.
      const end = (): void => (message.complete ? endGently(socket) : endUnread(message, stop));
      socket.destroySoon = end;
    }
    const timer = setTimeout(() => socket.destroy(), nodeLimits.answerTimeout);
    timer.unref();
    const left = (): void => clearTimeout(timer);
    response.once('finish', left).once('close', left);
    response.end(body);
    if (stop === undefined) message.resume();
  }

  #closed(): void {
    if (this.#over) return;
    this.#over = true;
    this.#onAborted();
  }
}
