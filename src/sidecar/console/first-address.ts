import type { FastifyInstance } from 'fastify';

const pageTypes: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);
/** Maximum length of an `Accept` header that is read. Browsers send less than 200 characters. */
const longestAccept = 1000;

/**
 * Whether a client prefers a page: no media type in its `Accept` header ranks before HTML. Most programs accept every
 * media type equally, so they do not prefer pages.
 */
export const prefersPages = (accept: string | undefined): boolean => {
  if (accept === undefined || accept.length > longestAccept) return false;
  let best = { type: '', weight: 0 };
  for (const part of accept.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    const named = parameters.find((word) => word.startsWith('q='));
    const weight = named === undefined ? 1 : Number(named.slice(2));
    if (weight > best.weight) best = { type, weight };
  }
  return pageTypes.has(best.type);
};

/** Leads browsers from `/`, which is no address of the API, to the console. Other clients get 404 there. */
export const leadToConsole = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    const { url, method } = request.raw;
    const isFirst = request.is404 && method === 'GET' && (url === '/' || url?.startsWith('/?') === true);
    if (!isFirst || !prefersPages(request.headers.accept)) return done();
    reply.header('vary', 'Accept').header('cache-control', 'no-store').redirect('/console', 303);
  });
};
