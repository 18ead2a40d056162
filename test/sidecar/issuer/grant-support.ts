/** The steps by which an assistant gets access, with openid-client as the client. */
import * as client from 'openid-client';
import type { Test } from 'tap';
import { assistants, type Browser, type Page } from './sign-in-support.js';

export const redirect = assistants[0].redirect_uris[0];

/** Starts an authorization request of an assistant. @param base address of the service. */
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

/** Grants the requested scopes, unless they were granted before. */
export const allow = async (browser: Browser, at: Page, scopes: readonly string[]): Promise<Page> =>
  at.url.startsWith(redirect)
    ? at
    : browser.post(
        `${new URL(at.url).pathname}/consent`,
        new URLSearchParams(scopes.map((scope): [string, string] => ['scope', scope])),
      );

/** Exchanges the code of the redirect for tokens. */
export const exchange = ({ server, verifier, state }: Begun, { url }: Page) =>
  client.authorizationCodeGrant(server, new URL(url), { pkceCodeVerifier: verifier, expectedState: state });

/** Expects an OAuth error at the client. */
export const refusedWith = async (t: Test, work: Promise<unknown>, error: string): Promise<void> => {
  const told = await work.then(
    () => 'no error',
    (thrown: { error?: string }) => thrown.error ?? String(thrown),
  );
  t.equal(told, error);
};
