import type { FastifyRequest } from 'fastify';
import { publicAddress, type Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';

/** The header that pages of the console send when they change data. Pages of other origins cannot send it. */
export const consoleHeader = 'x-cochlea-console';

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;
const jsonType = /^application\/json\s*(;|$)/i;
const formType = /^multipart\/form-data\s*;/i;

/** @param takesFiles whether the route takes a form with files instead of JSON. */
export type ConsoleCheck = (request: FastifyRequest, takesFiles: boolean) => void;

const refused = (why: string): CochleaError => new CochleaError('cross_site', { why });

/**
 * Whether browsers send `Sec-Fetch-Site` to an origin. They do if the origin uses https, or is on their own machine.
 */
const isTrustworthy = (origin: string): boolean => {
  const { protocol, host } = new URL(origin);
  return protocol === 'https:' || loopback.test(host);
};

/**
 * Returns the origin of this service. It is the origin of PUBLIC_URL. If PUBLIC_URL is not set, it is the origin that
 * the request names.
 */
export const serviceOrigin = (settings: Settings, { protocol, host }: FastifyRequest): string =>
  settings.publicUrl === '' ? `${protocol}://${host}` : new URL(publicAddress(settings)).origin;

/**
 * Returns the origin of the console's pages. Without PUBLIC_URL it is the origin that the request names. That origin
 * must then be a loopback address or `localhost`, so a foreign name that resolves to this machine is refused.
 * @throws CochleaError `cross_site`
 */
const ownOrigin = (settings: Settings, request: FastifyRequest): string => {
  if (settings.publicUrl === '' && !loopback.test(request.host)) throw refused('PUBLIC_URL is not set');
  return serviceOrigin(settings, request);
};

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Creates the check that a request comes from a page of the console. A request that changes data must name the page's
 * origin, have the console's own header, and send JSON, or a form if the route takes files. So no page of another origin
 * can use a session, even if a browser sends it the cookie.
 */
export const consoleCheck =
  (settings: Settings): ConsoleCheck =>
  (request, takesFiles) => {
    const { method, headers } = request;
    const own = ownOrigin(settings, request);
    const site = headers['sec-fetch-site'];
    if (site === undefined ? isTrustworthy(own) : site !== 'same-origin') {
      throw refused('Sec-Fetch-Site is not same-origin');
    }
    const isWrite = method !== 'GET' && method !== 'HEAD';
    const { origin } = headers;
    if (origin === undefined ? isWrite : origin !== own) throw refused('Origin is another one');
    if (!isWrite) return;
    if (headers[consoleHeader] !== '1') throw refused(`the header ${consoleHeader} is not 1`);
    const type = takesFiles ? formType : jsonType;
    if (hasBody(request) && !type.test(headers['content-type'] ?? ''))
      throw refused(takesFiles ? 'the body is not a form' : 'the body is not JSON');
  };
