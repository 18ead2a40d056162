import { STATUS_CODES } from 'node:http';
import { allowedMethods, securityHeaders } from '../../common/index.js';
import type { CochleaError } from '../../errors/index.js';
import type { HttpResponse } from './listener.js';

const usualHeaders = Object.entries({ 'Content-Type': 'application/json', ...securityHeaders });

/** The status line of an HTTP status. */
export const statusLine = (status: number): string => `${status} ${STATUS_CODES[status] ?? 'Unknown'}`;

/** Runs what answers a request, unless its client has gone until then. */
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
 * Answers a request with a JSON body. The response must not be aborted.
 * @param close whether the connection is closed after it, as when the body of the request was not read.
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

/** Answers `OPTIONS *`, which asks what the server as a whole takes. The handler of the request has just run. */
export const answerServerOptions = (response: HttpResponse): void => {
  inALaterTurn(response, () => {
    response.cork(() => {
      response.writeStatus(statusLine(204)).writeHeader('Allow', allowedMethods).endWithoutBody();
    });
  });
};

const retryAfter = '5';

/** Answers with an error of the registry, in the `detail` body clients expect. @param close as for `answerJson`. */
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
 * Refuses a request whose handler has just run: as `answerError`, but only when the listener has taken everything that
 * arrived with it. A request behind it in the same buffer would otherwise be taken next and would undo the close; while an
 * answer is owed, the listener closes the connection instead.
 */
export const refuseRequest = (response: HttpResponse, error: CochleaError): void =>
  inALaterTurn(response, () => answerError(response, error));
