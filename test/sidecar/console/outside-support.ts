/** Starts a console whose users sign in at the operator's own issuer, and small issuers for it. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Test } from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { Browser } from '../issuer/sign-in-support.js';
import { atUpstream, startUpstream, type Upstream, upstreamSecret } from '../issuer/upstream-support.js';
import { type Answer, type Api, startApi } from '../support.js';

const cookieName = 'cochlea_console';

/** A console whose users sign in at a real oidc-provider with a different origin. */
export interface Console {
  readonly api: Api;
  readonly issuer: Upstream;
  /** Signs a browser in. @param there the same user's browser at the issuer. */
  signIn(
    subject: string,
    browser?: Browser,
    there?: Browser,
  ): Promise<{ url: string; text: string; status: number }>;
  /** Asks the console which user is signed in, as a page of the console does. */
  me(browser: Browser): Promise<Answer>;
}

/** Returns the cookie of the browser's session at the console. Empty without a session. */
export const sessionOf = (browser: Browser): string => browser.cookies.get(`${cookieName}@/`)?.value ?? '';

/** Starts the console and its issuer. @param more settings. */
export const startConsole = async (
  t: Test,
  more: Readonly<Record<string, string>> = {},
): Promise<Console> => {
  const port = String(await freePort());
  const base = `http://127.0.0.1:${port}`;
  const issuer = await startUpstream(t, [`${base}/console/signed-in`], {
    backchannel: `${base}/console/issuer-logout`,
    back: `${base}/console/signed-out`,
  });
  const api = await startApi(t, {
    SIDECAR_PORT: port,
    PUBLIC_URL: base,
    ID_TOKEN_ISSUER: issuer.issuer,
    CONSOLE_CLIENT_ID: 'cochlea',
    CONSOLE_CLIENT_SECRET: upstreamSecret,
    ...more,
  });
  return {
    api,
    issuer,
    async signIn(subject, browser = new Browser(base), there = new Browser(issuer.issuer)) {
      const away = await browser.get('/console/sign-in');
      return browser.get(await atUpstream(issuer, away.url, subject, there));
    },
    me: (browser) =>
      api.call('/console/api/me', {
        headers: { 'sec-fetch-site': 'same-origin', cookie: `${cookieName}=${sessionOf(browser)}` },
      }),
  };
};

/** Yields an answer that never ends. */
function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(65_536, ' ');
}

/** Behaviour of a small issuer that differs from the default. */
export interface SignerOptions {
  /** Further metadata. @param own origin of the issuer. */
  readonly metadata?: (own: string) => Readonly<Record<string, unknown>>;
  /** The issuer's reaction to a request for the metadata. Default: it is answered. */
  readonly onDiscovery?: () => 'answer' | 'silence' | 'break' | 'endless';
}

/**
 * Starts a small issuer that signs any claims. It answers the token request with the ID token of `claims`. At `/end` it
 * redirects a browser to the console, as after a sign-out.
 */
export const startSigner = async (t: Test, { metadata, onDiscovery }: SignerOptions = {}) => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'test', alg: 'ES256', use: 'sig' };
  const sign = (claims: object, typ: string, key: CryptoKey = privateKey): Promise<string> =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'test', typ }).sign(key);
  const next: { claims: object; key: CryptoKey } = { claims: {}, key: privateKey };
  /** Headers of the requests for sign-outs. */
  const ends: IncomingHttpHeaders[] = [];
  const discovery = '/.well-known/openid-configuration';
  const server = createServer(async (request, response) => {
    const { url, headers } = request;
    const own = `http://${headers.host}`;
    const { pathname, searchParams } = new URL(url!, own);
    if (pathname === '/end') {
      ends.push(headers);
      const back = new URL(searchParams.get('post_logout_redirect_uri')!);
      back.searchParams.set('state', searchParams.get('state')!);
      response.writeHead(303, { location: back.href }).end();
      return;
    }
    const fate = pathname === discovery ? onDiscovery?.() : 'answer';
    if (fate === 'break') request.destroy();
    if (fate === 'break' || fate === 'silence') return;
    if (fate === 'endless') return void Readable.from(endless()).pipe(response);
    const answers: Readonly<Record<string, () => unknown>> = {
      [discovery]: () => ({
        issuer: own,
        authorization_endpoint: `${own}/authorize`,
        token_endpoint: `${own}/token`,
        jwks_uri: `${own}/keys`,
        id_token_signing_alg_values_supported: ['ES256'],
        ...metadata?.(own),
      }),
      '/keys': () => ({ keys: [jwk] }),
      '/token': async () => ({
        access_token: 'x',
        token_type: 'bearer',
        id_token: await sign(next.claims, 'JWT', next.key),
      }),
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(await answers[pathname]?.()));
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { issuer: `http://127.0.0.1:${port}`, sign, next, ends };
};
