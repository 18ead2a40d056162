import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fixedLimits } from '../../config/limits/index.js';
import type { ReadJson, TextThread } from '../../service/text/index.js';
import { RequestInvalid } from '../answers/index.js';

const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined ||
  contentType === '' ||
  /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType.trim());

/**
 * Bytes from which a body is read in the thread for texts. The worst one of this length takes 3 ms here, and would take half a second at
 * the largest that a route accepts.
 */
export const longBody = 32_768;

const messages = {
  json_invalid: 'JSON decode error',
  json_too_many_values: `Body should have at most ${fixedLimits.jsonValues.value} values`,
  json_too_deep: `Body should have at most ${fixedLimits.jsonDepth.value} lists and objects in each other`,
} as const;

const refusal = (type: keyof typeof messages): RequestInvalid =>
  new RequestInvalid([{ type, loc: ['body', 0], msg: messages[type] }]);

const valueIn = (read: ReadJson): unknown => {
  if ('refused' in read) throw refusal(read.refused);
  return read.value;
};

/** Whose turn the reading of a body is: bodies are read when the credential is known, if the route needs one. */
const ownerOf = ({ caller, postponed, ip }: FastifyRequest): string =>
  caller?.uid ?? postponed?.uid ?? `address ${ip}`;

/** A copy in memory of its own, which can be given to a thread: buffers of Node share theirs. */
const ownCopy = (body: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(body);

/**
 * Reads every body as text, and parses it as JSON when its type is JSON or is not declared. A body of another type stays text,
 * which no schema accepts, so it is answered with 422 like any other invalid body. Keys that could change a prototype are
 * dropped.
 */
export const installBodyParser = (app: FastifyInstance, readLong: TextThread['readJson']): void => {
  /** To put a body together, to copy it, to take its value and to check it may take a few ms each: each has its turn of the thread. */
  const readInTurns = async (request: FastifyRequest, body: Buffer): Promise<unknown> => {
    const owner = ownerOf(request);
    const { bodyTurn } = request;
    await bodyTurn?.begin(owner, body.length);
    let read: ReadJson;
    try {
      await nextTurn();
      read = await readLong(ownCopy(body), owner);
      await nextTurn();
    } finally {
      bodyTurn?.read();
    }
    return valueIn(read);
  };
  const parseJson = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const isText = request.routeOptions.config.textBody || !isJson(request.headers['content-type']);
    if (!isText && body.length > longBody) {
      readInTurns(request, body).then((value) => done(null, value), done);
      return;
    }
    // Of a long body of another type the beginning is enough to refuse it.
    const isWhole = request.routeOptions.config.textBody || body.length <= longBody;
    const text = body.toString('utf8', 0, isWhole ? body.length : longBody);
    if (text.trim() === '') return done(null, undefined);
    if (isText) return done(null, text);
    parseJson(request, text, (error, value) => done(error && refusal('json_invalid'), value));
  });
};
