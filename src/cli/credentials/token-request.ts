import { sendThroughProxy, transport } from '../api/index.js';
import type { Profile } from '../config/index.js';
import { plainLine, shortened } from '../output/index.js';
import { CommandFailure } from '../terminal/index.js';

/** Answer of `/v1/auth/token`. */
export interface Tokens {
  readonly idToken: string;
  readonly refreshToken: string;
  /** Expiry of the ID token, in seconds since the epoch. */
  readonly expiresAt: number;
}

const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length < 10_000 ? value : undefined;

/**
 * Requests tokens with a code or a refresh token.
 * @throws CommandFailure `unauthorized` if the service refuses, `unavailable` if it does not answer.
 */
export const requestTokens = async (
  base: string,
  fields: Readonly<Record<string, string>>,
  debug: (text: string) => Promise<void>,
): Promise<Tokens> => {
  const request = new Request(`${base}/v1/auth/token`, { method: 'POST', body: new URLSearchParams(fields) });
  const answer = await transport({ debug })(request);
  const body = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  if (answer.ok) {
    const idToken = asText(body.id_token);
    const refreshToken = asText(body.refresh_token);
    const lifetime = Number(body.expires_in);
    if (idToken === undefined || refreshToken === undefined || !(lifetime > 0))
      throw new CommandFailure('unavailable', 'The service answers a sign-in without its tokens.');
    return { idToken, refreshToken, expiresAt: Math.floor(Date.now() / 1000 + lifetime) };
  }
  const said = asText(body.error_description) ?? asText(body.error) ?? asText(body.detail) ?? '';
  const why = `(${answer.status})${said === '' ? '' : `: ${shortened(plainLine(said), 200)}`}`;
  if ([400, 401, 403].includes(answer.status)) {
    throw new CommandFailure('unauthorized', `The sign-in is refused ${why}. Run "auth login" again.`, body);
  }
  throw new CommandFailure(answer.status === 429 ? 'limited' : 'unavailable', `The sign-in fails ${why}`);
};

/** Returns a copy of the profile with new tokens. */
export const withTokens = (profile: Profile, { idToken, refreshToken, expiresAt }: Tokens): Profile => ({
  ...profile,
  id_token: idToken,
  refresh_token: refreshToken,
  id_token_expires_at: expiresAt,
});

/** Revokes a refresh token at the service, which ends the whole sign-in. */
export const revokeSignIn = async (
  base: string,
  { id_token: idToken, refresh_token: token }: Profile,
  debug: (text: string) => Promise<void>,
): Promise<void> => {
  if (!token) return;
  const fields = { token, token_type_hint: 'refresh_token', client_id: clientOf(idToken) };
  const request = new Request(`${base}/token/revoke`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  });
  const send = await sendThroughProxy(process.env);
  const answer = await send(request);
  await answer.body?.cancel();
  await debug(`POST /token/revoke -> ${answer.status}`);
  if (!answer.ok) throw new CommandFailure('unavailable', `the service answers ${answer.status}`);
};

/** Returns the client id in an ID token. The token is not verified, because it came directly from this service. */
const clientOf = (idToken = ''): string => {
  try {
    const payload = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString();
    return asText((JSON.parse(payload) as { aud?: unknown }).aud) ?? 'cochlea';
  } catch {
    return 'cochlea';
  }
};
