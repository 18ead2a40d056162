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
 * Maximum bytes of a body that is parsed on this thread. Longer bodies are parsed in the text thread. The slowest body
 * of this length takes 3 ms on this thread. The largest body of a route would take half a second.
 */
export const longBody = 32_768;

const messages = {
  json_invalid: 'JSON decode error',
  json_too_many_values: `Body should have at most ${fixedLimits.jsonValues.value} values`,
  json_too_deep: `Body should have at most ${fixedLimits.jsonDepth.value} nested lists and objects`,
} as const;

const refusal = (type: keyof typeof messages): RequestInvalid =>
  new RequestInvalid([{ type, loc: ['body', 0], msg: messages[type] }]);

const valueIn = (read: ReadJson): unknown => {
  if ('refused' in read) throw refusal(read.refused);
  return read.value;
};

/**
 * Returns the user or client address whose turn is used to read a body. If the route needs a credential, the user is
 * already known.
 */
const ownerOf = ({ caller, postponed, ip }: FastifyRequest): string =>
  caller?.uid ?? postponed?.uid ?? `address ${ip}`;

/** Returns a copy with its own memory, for transfer to a thread. Buffers of Node.js may share memory with other buffers. */
const ownCopy = (body: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(body);

/**
 * Installs the body parser. It reads every body as text, and parses it as JSON if its type is JSON or undeclared. A body of another type
 * stays text, which every schema refuses with 422. Keys that could change a prototype are dropped.
 */
export const installBodyParser = (app: FastifyInstance, readLong: TextThread['readJson']): void => {
  /**
   * Reads a long body. Joins, copies, transfers and checks the body in separate turns of the event loop, because each
   * step may take a few ms.
   */
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
    // A long body that reaches this line is not JSON. Most routes refuse such a body, and then only its beginning is
    // decoded.
    const isWhole = request.routeOptions.config.textBody || body.length <= longBody;
    const text = body.toString('utf8', 0, isWhole ? body.length : longBody);
    if (text.trim() === '') return done(null, undefined);
    if (isText) return done(null, text);
    parseJson(request, text, (error, value) => done(error && refusal('json_invalid'), value));
  });
};
