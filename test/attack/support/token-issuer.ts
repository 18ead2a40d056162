/** An issuer of ID tokens for tests. It serves its public keys and signs any claims. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

interface Teardown {
  teardown(action: () => unknown): unknown;
}

export interface TestIssuer {
  /** Settings with which the product accepts tokens of this issuer. */
  readonly env: NodeJS.ProcessEnv;
  /**
   * Returns a token of a user that expires after `seconds`. `claims` are added to the default claims, or replace them.
   * @param typ header `typ` of the token; without a value, the header is absent.
   */
  token(uid: string, seconds?: number, claims?: JWTPayload, typ?: string): Promise<string>;
}

export const startTokenIssuer = async (t: Teardown): Promise<TestIssuer> => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'test', alg: 'ES256', use: 'sig' }];
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ keys }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { ID_TOKEN_ISSUER: issuer, ID_TOKEN_JWKS: `${issuer}/keys` },
    token: (uid, seconds = 3600, claims = {}, typ) =>
      new SignJWT({ iss: issuer, aud: 'cochlea', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'test', ...(typ !== undefined && { typ }) })
        .setSubject(uid)
        .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
        .sign(privateKey),
  };
};
