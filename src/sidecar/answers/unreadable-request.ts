import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { allowedMethods, isUnknownMethod, type ParseError, servedMethods } from '../../common/index.js';
import type { AnswerHeaders } from './answer-headers.js';

const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** HTTP methods that the router supports. */
const routed: ReadonlySet<string> = new Set([...servedMethods, 'QUERY', 'TRACE']);

const statusOf = (error: ParseError): number =>
  isUnknownMethod(error) ? 405 : (statuses[error.code ?? ''] ?? 400);

/** Answers bytes that are not a request, directly on the socket. Then closes the socket. */
const answerRaw = (socket: Duplex, status: number, headers: AnswerHeaders): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ detail: STATUS_CODES[status] });
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    ...(status === 405 && { allow: allowedMethods }),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
};

/**
 * Answers bytes that Node.js cannot parse as a request, or a head that is too long or too slow. Closes the connection. Node.js calls
 * no hook or error handler in these cases.
 */
export const refuseUnreadable = (error: ParseError, socket: Socket, headers: AnswerHeaders): void =>
  answerRaw(socket, statusOf(error), headers);

/** Answers `CONNECT`. Node.js calls no request handler for it and would close the connection without an answer. */
export const refuseTunnels = (server: Server, headers: AnswerHeaders): void => {
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    answerRaw(socket, 405, headers);
  });
};

/**
 * Renames a method unknown to the router to `TRACE`, which no route declares. The request then gets the usual 405 answer. The router alone
 * would answer that the path does not exist.
 */
export const nameUnknownMethod = (request: { method?: string | undefined }): void => {
  if (!routed.has(request.method!)) request.method = 'TRACE';
};
