import type { Socket } from 'node:net';
import { allowedMethods, isUnknownMethod, type ParseError } from '../../common/index.js';
import { statusLine } from '../listener/index.js';
import { endGently } from './lingering.js';

/** Statuses of what the parser of `node:http` refuses; everything else it refuses is a bad request. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const statusOf = (error: ParseError): number | undefined => {
  const { code = '', reason = '' } = error;
  if (isUnknownMethod(error)) return 405;
  // The same code stands for what may not follow a version.
  if (code === 'HPE_INVALID_VERSION' && !reason.startsWith('Expected')) return 505;
  return statuses[code] ?? (code.startsWith('HPE_') ? 400 : undefined);
};

/**
 * Answers bytes that are no request, or a request that does not arrive in its time, and ends the connection.
 * @param answering an answer is owed to an earlier request, or is on its way: this one cannot be told apart from it.
 */
export const answerParseError = (error: ParseError, socket: Socket, answering: boolean): void => {
  // What stands behind a request that closes the connection is not read (RFC 9112, section 9.6); the request is still answered.
  if (error.code === 'HPE_CLOSED_CONNECTION') return;
  const status = statusOf(error);
  if (answering || status === undefined || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ detail: statusLine(status).slice(4) });
  const fields = [
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...(status === 405 ? [`Allow: ${allowedMethods}`] : []),
    'Connection: close',
  ];
  socket.write(`HTTP/1.1 ${statusLine(status)}\r\n${fields.join('\r\n')}\r\n\r\n${body}`);
  endGently(socket);
};
