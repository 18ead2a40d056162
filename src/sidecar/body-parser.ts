import type { FastifyInstance } from 'fastify';
import { RequestInvalid } from './request-invalid.js';

const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined ||
  contentType === '' ||
  /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType.trim());

/**
 * Reads every body as text, and parses it as JSON when its type is JSON or is not declared. A body of another type stays text,
 * which no schema accepts, so it is answered with 422 like any other invalid body. Keys that could change a prototype are
 * dropped.
 */
export const installBodyParser = (app: FastifyInstance): void => {
  const parseJson = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString();
    if (text.trim() === '') return done(null, undefined);
    if (request.routeOptions.config.textBody) return done(null, text);
    if (!isJson(request.headers['content-type'])) return done(null, text);
    parseJson(request, text, (error, value) => {
      if (!error) return done(null, value);
      done(new RequestInvalid([{ type: 'json_invalid', loc: ['body', 0], msg: 'JSON decode error' }]));
    });
  });
};
