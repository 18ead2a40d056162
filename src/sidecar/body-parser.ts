import type { FastifyInstance } from 'fastify';
import { RequestInvalid } from './request-invalid.js';

const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined ||
  contentType === '' ||
  /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType.trim());

/**
 * Reads every body as text, and as JSON where it is declared so or not declared at all. A body of another type stays
 * text, which no schema accepts: the answer is then 422 like any other wrong body. Keys that would reach a prototype
 * are dropped.
 */
export const installBodyParser = (app: FastifyInstance): void => {
  const parseJson = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString();
    if (text.trim() === '') return done(null, undefined);
    if (!isJson(request.headers['content-type'])) return done(null, text);
    parseJson(request, text, (error, value) => {
      if (!error) return done(null, value);
      done(new RequestInvalid([{ type: 'json_invalid', loc: ['body', 0], msg: 'JSON decode error' }]));
    });
  });
};
