import type { IncomingMessage } from 'node:http';
import type { HttpRequest } from '../listener.js';

const beyondAscii = /[\x80-\xff]/;

/** Node decodes header bytes as Latin-1; here they are UTF-8, as with the other listener. */
const decoded = (value: string): string =>
  beyondAscii.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;

/** The head of a request of `node:http`. */
export class NodeRequest implements HttpRequest {
  readonly #message: IncomingMessage;
  readonly #queryAt: number;

  constructor(message: IncomingMessage) {
    this.#message = message;
    this.#queryAt = this.#target.indexOf('?');
  }

  getMethod(): string {
    return this.#message.method ?? '';
  }

  getUrl(): string {
    return this.#queryAt < 0 ? this.#target : this.#target.slice(0, this.#queryAt);
  }

  getQuery(): string {
    return this.#queryAt < 0 ? '' : this.#target.slice(this.#queryAt + 1);
  }

  getHeader(lowerCaseKey: string): string {
    const { rawHeaders } = this.#message;
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
      if (rawHeaders[index]!.toLowerCase() === lowerCaseKey) return decoded(rawHeaders[index + 1]!);
    }
    return '';
  }

  forEach(visit: (name: string, value: string) => void): void {
    const { rawHeaders } = this.#message;
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
      visit(rawHeaders[index]!.toLowerCase(), decoded(rawHeaders[index + 1]!));
    }
  }

  get #target(): string {
    return this.#message.url ?? '';
  }
}
