/** A second service where users can sign in. It is oidc-provider with its development pages, which accept any name. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Test } from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { Browser } from './sign-in-support.js';

export interface Upstream {
  readonly issuer: string;
  /** Claims of each user, by subject. Users without an entry have only their subject. */
  readonly people: Map<string, Readonly<Record<string, unknown>>>;
}

/** Signs a user in at the other service. Returns the address to which that service redirects. */
export const atUpstream = async (
  { issuer }: Upstream,
  to: string,
  subject: string,
  browser = new Browser(issuer),
): Promise<string> => {
  let page = await browser.get(to);
  for (const prompt of ['login', 'consent']) {
    page = await browser.post(new URL(page.url).pathname, { prompt, login: subject, password: 'any' });
  }
  return page.url;
};

export const upstreamSecret = 'the secret that the other service knows';

/** Registered addresses for sign-outs. */
interface LogoutAddresses {
  /** The address to which the service sends logout tokens. */
  readonly backchannel: string;
  /** The address to which the service redirects a browser after a sign-out. */
  readonly back: string;
}

/** Starts the other service. `redirects` lists the redirect addresses that it allows after a sign-in. */
export const startUpstream = async (
  t: Test,
  redirects: string[],
  logout?: LogoutAddresses,
): Promise<Upstream> => {
  const { Provider } = await import('oidc-provider');
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const people = new Map<string, Readonly<Record<string, unknown>>>();
  // Hides the warning about the development pages, because the tests use them on purpose.
  const { warn } = console;
  console.warn = () => undefined;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'cochlea',
        client_secret: upstreamSecret,
        redirect_uris: redirects,
        ...(logout && {
          backchannel_logout_uri: logout.backchannel,
          backchannel_logout_session_required: true,
          post_logout_redirect_uris: [logout.back],
        }),
      },
    ],
    features: { backchannelLogout: { enabled: logout !== undefined } },
    // Removes oidc-provider's own dispatcher, which refuses addresses of this machine.
    fetch: (url, request) => fetch(url, { ...request, dispatcher: undefined } as RequestInit),
    clientAuthMethods: ['client_secret_post'],
    clientDefaults: { token_endpoint_auth_method: 'client_secret_post' },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    findAccount: (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people.get(id) }) }),
  });
  console.warn = warn;
  const server = createServer(provider.callback()).listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { issuer, people };
};
