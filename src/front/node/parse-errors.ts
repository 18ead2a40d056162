import type { Socket } from 'node:net';
import { allowedMethods, isUnknownMethod, type ParseError } from '../../common/index.js';
import { statusLine } from '../listener/index.js';
import { endGently } from './lingering.js';

/** HTTP statuses for errors of `node:http`'s parser. Parser errors that are not listed get 400. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const statusOf = (error: ParseError): number | undefined => {
  const { code = '', reason = '' } = error;
  if (isUnknownMethod(error)) return 405;
  // The parser reports this code also for invalid bytes behind a valid version.
  if (code === 'HPE_INVALID_VERSION' && !reason.startsWith('Expected')) return 505;
  return statuses[code] ?? (code.startsWith('HPE_') ? 400 : undefined);
};

/**
 * Answers an invalid or late request, and ends the connection.
 * @param answering whether the answer to an earlier request is pending or being sent. If so, the connection ends
 *   without an error answer, because the client would mistake it for the answer to the earlier request.
 */
export const answerParseError = (error: ParseError, socket: Socket, answering: boolean): void => {
  // Bytes behind a request with `Connection: close` are ignored (RFC 9112, section 9.6). That request is still
  // answered.
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
