import type { Socket } from 'node:net';
import { statusLine } from '../responses.js';
import { endGently } from './lingering.js';

/** Statuses of what the parser of `node:http` refuses; everything else it refuses is a bad request. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers bytes that are no request, or a request that does not arrive in its time, and ends the connection.
 * @param answering an answer is owed to an earlier request, or is on its way: this one cannot be told apart from it.
 */
export const answerParseError = (
  error: Error & { readonly code?: string },
  socket: Socket,
  answering: boolean,
): void => {
  const { code = '' } = error;
  const status = statuses[code] ?? (code.startsWith('HPE_') ? 400 : undefined);
  if (answering || status === undefined || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ detail: statusLine(status).slice(4) });
  socket.write(
    `HTTP/1.1 ${statusLine(status)}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
  endGently(socket);
};
