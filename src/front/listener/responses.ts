import { STATUS_CODES } from 'node:http';
import { allowedMethods, securityHeaders } from '../../common/index.js';
import type { CochleaError } from '../../errors/index.js';
import type { HttpResponse } from './listener.js';

const usualHeaders = Object.entries({ 'Content-Type': 'application/json', ...securityHeaders });

/** Returns the status line of an HTTP status. */
export const statusLine = (status: number): string => `${status} ${STATUS_CODES[status] ?? 'Unknown'}`;

/** Runs `answer` in a later turn of the event loop, unless the client disconnects first. */
const inALaterTurn = (response: HttpResponse, answer: () => void): void => {
  let gone = false;
  response.onAborted(() => {
    gone = true;
  });
  setImmediate(() => {
    if (!gone) answer();
  });
};

/**
 * Answers a request with a JSON body. The response must still be valid.
 * @param close whether to close the connection afterwards, for example because the request's body was not read.
 */
export const answerJson = (
  response: HttpResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  close = false,
): void => {
  response.cork(() => {
    response.writeStatus(statusLine(status));
    for (const [name, value] of usualHeaders) response.writeHeader(name, value);
    for (const [name, value] of Object.entries(headers)) response.writeHeader(name, value);
    response.end(JSON.stringify(body), close);
  });
};

/** Answers `OPTIONS *`, which asks for the methods of the entire server. Call it in the request's handler. */
export const answerServerOptions = (response: HttpResponse): void => {
  inALaterTurn(response, () => {
    response.cork(() => {
      response.writeStatus(statusLine(204)).writeHeader('Allow', allowedMethods).endWithoutBody();
    });
  });
};

const retryAfter = '5';

/**
 * Answers with an error of the registry, in the `detail` body that clients expect.
 * @param close as for `answerJson`.
 */
export const answerError = (response: HttpResponse, error: CochleaError, close = true): void => {
  const status = error.entry.http ?? 500;
  const headers: Record<string, string> = {};
  if (status === 405) headers.Allow = allowedMethods;
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (status === 503) headers['Retry-After'] = retryAfter;
  if (status === 429) headers['Retry-After'] = String(error.details.seconds ?? retryAfter);
  answerJson(response, status, { detail: error.message }, headers, close);
};

/**
 * Refuses a request like `answerError`, but only after the listener has read everything that arrived with the request.
 * Call it in the request's handler.
 *
 * If this function answered at once, the listener would handle a pipelined request in the same buffer and keep the
 * connection open. While an answer is pending, the listener closes the connection instead.
 */
export const refuseRequest = (response: HttpResponse, error: CochleaError): void =>
  inALaterTurn(response, () => answerError(response, error));
