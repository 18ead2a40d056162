import type { IncomingMessage } from 'node:http';
import type { HttpRequest } from '../listener/index.js';

/**
 * Matches a request target with the scheme `http` or `https`. A target with a different scheme is a request to a proxy.
 */
const absoluteTarget = /^https?:\/\/([^/?#]+)(.*)$/i;

const beyondAscii = /[\x80-\xff]/;

/** Decodes a header value as UTF-8, as the listener of uWebSockets.js does. Node decodes header bytes as Latin-1. */
const decoded = (value: string): string =>
  beyondAscii.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;

/** The head of a request that `node:http` has received. */
export class NodeRequest implements HttpRequest {
  readonly #target: string;
  readonly #queryAt: number;
  /** Host of an absolute target. It replaces the Host header (RFC 9112, section 3.2.2). */
  readonly #host: string | undefined;

  constructor(private readonly message: IncomingMessage) {
    const { url = '/' } = message;
    const absolute = url.startsWith('/') ? null : absoluteTarget.exec(url);
    this.#host = absolute?.[1];
    const rest = absolute?.[2] ?? url;
    this.#target = absolute === null || rest.startsWith('/') ? rest : `/${rest}`;
    this.#queryAt = this.#target.indexOf('?');
  }

  getMethod(): string {
    return this.message.method ?? '';
  }

  getUrl(): string {
    return this.#queryAt < 0 ? this.#target : this.#target.slice(0, this.#queryAt);
  }

  getQuery(): string {
    return this.#queryAt < 0 ? '' : this.#target.slice(this.#queryAt + 1);
  }

  getHeader(lowerCaseKey: string): string {
    if (lowerCaseKey === 'host' && this.#host !== undefined) return this.#host;
    const { rawHeaders } = this.message;
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
      if (rawHeaders[index]!.toLowerCase() === lowerCaseKey) return decoded(rawHeaders[index + 1]!);
    }
    return '';
  }

  forEach(visit: (name: string, value: string) => void): void {
    const { rawHeaders } = this.message;
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
      const name = rawHeaders[index]!.toLowerCase();
      const isReplaced = name === 'host' && this.#host !== undefined;
      visit(name, isReplaced ? this.#host : decoded(rawHeaders[index + 1]!));
    }
  }
}
