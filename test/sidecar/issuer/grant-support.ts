/** The steps by which an assistant gets access. openid-client acts as the assistant. */
import * as client from 'openid-client';
import type { Test } from 'tap';
import { assistants, type Browser, type Page } from './sign-in-support.js';

export const redirect = assistants[0].redirect_uris[0];

/**
 * Prepares an authorization request of an assistant. `base` is the address of the service. Returns the request's
 * address and its secrets.
 */
export const beginWith = async (
  base: string,
  more: Record<string, string> = {},
  id = 'helper',
  auth = client.None(),
) => {
  const server = await client.discovery(new URL(base), id, undefined, auth, {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  });
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const address = client.buildAuthorizationUrl(server, {
    redirect_uri: redirect,
    scope: 'memories.read goals.read',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    resource: `${base}/v1/mcp/sse`,
    ...more,
  });
  return { server, verifier, state, address };
};

export type Begun = Awaited<ReturnType<typeof beginWith>>;

/** Consents to these scopes. Does nothing if the page has already redirected to the assistant. */
export const allow = async (browser: Browser, at: Page, scopes: readonly string[]): Promise<Page> =>
  at.url.startsWith(redirect)
    ? at
    : browser.post(
        `${new URL(at.url).pathname}/consent`,
        new URLSearchParams(scopes.map((scope): [string, string] => ['scope', scope])),
      );

/** Exchanges the code in the redirect's address for tokens. */
export const exchange = ({ server, verifier, state }: Begun, { url }: Page) =>
  client.authorizationCodeGrant(server, new URL(url), { pkceCodeVerifier: verifier, expectedState: state });

/** Checks that the request fails with this OAuth error. */
export const refusedWith = async (t: Test, work: Promise<unknown>, error: string): Promise<void> => {
  const told = await work.then(
    () => 'no error',
    (thrown: { error?: string }) => thrown.error ?? String(thrown),
  );
  t.equal(told, error);
};
