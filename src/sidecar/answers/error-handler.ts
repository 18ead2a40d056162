import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CochleaError, type ErrorCode } from '../../errors/index.js';
import { isDatabaseAway, treatmentOf } from '../../store/client/index.js';
import { RequestLeft } from '../turns/index.js';
import { RequestInvalid, ruleFinding } from './request-invalid.js';

const fastifyCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

/**
 * Errors that refuse a request because of a limit, with status 503. They need no action of an operator, so the log does
 * not call them errors.
 */
const refusals: ReadonlySet<ErrorCode> = new Set([
  'answers_full',
  'overloaded',
  'questions_full',
  'sign_in_busy',
  'texts_full',
  'too_many_streams',
  'uploads_full',
]);

/** SQLSTATEs for text that the database cannot store, such as a NUL in a path. */
const unstorable = new Set(['22021', '22P05']);

/** Maps an error to an error of the registry. Returns null for an unexpected error. */
export const knownError = (error: FastifyError, request: FastifyRequest): CochleaError | null => {
  if (error instanceof CochleaError) return error;
  const code = fastifyCodes[error.code];
  if (code) return new CochleaError(code, { limit: request.routeOptions.bodyLimit });
  // Treats a deadlock that outlasted every retry like an unavailable database. It no longer exists when the client
  // repeats the request later.
  if (isDatabaseAway(error) || treatmentOf(error) === 'retry')
    return new CochleaError('database_unavailable');
  if (unstorable.has(error.code)) {
    const at = request.body === undefined ? 'query' : 'body';
    return new CochleaError('validation_failed', {
      why: 'The text has characters that cannot be stored',
      at,
    });
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new CochleaError('bad_request', { why: error.message });
  }
  return null;
};

/**
 * Returns the text of an error. For a deletion of the account, returns an object, so that clients do not mistake the
 * error for a missing scope.
 */
const detailOf = (answer: CochleaError): unknown => {
  if (answer.code === 'account_deletion_in_progress')
    return { code: answer.code, status: 'deleting', retryable: answer.entry.retryable };
  return answer.entry.http === undefined ? 'Internal error' : answer.message;
};

/** Returns the remedy for pages of the console, which show it. Answers for other clients are unchanged. */
const remedyFor = ({ url }: FastifyRequest, { remedy }: CochleaError): { readonly remedy?: string } =>
  url.startsWith('/console/api/') ? { remedy } : {};

/**
 * Installs the handler that answers errors with `{"detail": ...}`. An error outside the registry becomes status 500,
 * and only the log has its cause.
 */
export const installErrorHandler = (app: FastifyInstance): void => {
  const answerError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (reply.sent) return reply;
    if (error instanceof RequestInvalid) return reply.status(422).send({ detail: error.findings });
    if (error instanceof RequestLeft) return reply.status(400).send({ detail: 'The client has left' });
    // The client left before it had sent its whole body. Without this check the error would count as a lost database
    // connection.
    if (request.raw.destroyed && !request.raw.complete) {
      return reply.status(400).send({ detail: 'The body broke off' });
    }
    const answer = knownError(error, request) ?? new CochleaError('internal');
    if (answer.code === 'validation_failed') return reply.status(422).send({ detail: [ruleFinding(answer)] });
    const status = answer.entry.http ?? 500;
    // Keeps the connection open: the rest of the body is read and dropped. A client that still sends to a closed connection would not get
    // the answer.
    if (answer.code === 'body_too_large') reply.removeHeader('connection');
    if (refusals.has(answer.code)) {
      request.log.warn({ code: answer.code, route: request.routeOptions.url }, 'request refused');
    } else if (status >= 500) {
      const fields = status === 503 ? { code: answer.code } : { err: error };
      request.log.error(
        { ...fields, route: request.routeOptions.url, method: request.method },
        'request failed',
      );
    }
    const { challenge } = answer.details;
    if (status === 401 || challenge !== undefined) reply.header('www-authenticate', challenge ?? 'Bearer');
    if (status === 503) reply.header('retry-after', '1');
    if (status === 429 && answer.details.seconds !== undefined)
      reply.header('retry-after', String(answer.details.seconds));
    return reply.status(status).send({ detail: detailOf(answer), ...remedyFor(request, answer) });
  };
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const { postponed } = request;
    const late = error instanceof CochleaError && error.code === 'request_timeout';
    if (!postponed || late) return answerError(error, request, reply);
    // Checks the credential first. An unauthorized client learns only that it is unauthorized, and not the fault of its request.
    return postponed.admit(null).then(
      () => answerError(error, request, reply),
      (refusal: FastifyError) => answerError(refusal, request, reply),
    );
  });
  const notFound = (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.status(404).send({ detail: new CochleaError('not_found').message });
  // Unknown paths are answered before the body is read.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) notFound(request, reply);
    else done();
  });
  app.setNotFoundHandler(notFound);
};

const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE'] as const;

/** Answers 405 if a path exists without this method. Call it after all routes are registered. */
export const refuseOtherMethods = (
  app: FastifyInstance,
  routes: ReadonlyMap<string, ReadonlySet<string>>,
): void => {
  for (const [url, served] of routes) {
    const allow = [...served].sort().join(', ');
    const refuse = async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      reply
        .status(405)
        .header('allow', allow)
        .send({ detail: new CochleaError('method_not_allowed').message });
    app.route({
      method: methods.filter((method) => !served.has(method)),
      url,
      // This answer is sent before the body is read, so that an invalid body does not change the answer.
      onRequest: refuse,
      handler: refuse,
    });
  }
};
