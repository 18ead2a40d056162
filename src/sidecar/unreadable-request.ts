import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { AnswerHeaders } from './answer-headers.js';

const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/**
 * Answers bytes that Node.js cannot read as a request, or whose head is too long or too slow, and closes the connection. No hook and
 * no handler of an error is called for them.
 */
export const refuseUnreadable = (
  error: Error & { readonly code?: string },
  socket: Socket,
  headers: AnswerHeaders,
): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const status = statuses[error.code ?? ''] ?? 400;
  const body = JSON.stringify({ detail: STATUS_CODES[status] });
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
};
