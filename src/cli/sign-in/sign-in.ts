import { createHash, randomBytes } from 'node:crypto';
import { answered } from '../api/index.js';
import { type Profile, withoutCredential } from '../config/index.js';
import { requestTokens, revokeSignIn, withTokens } from '../credentials/index.js';
import { masked, plainLine, safeJson, shortened } from '../output/index.js';
import type { Session } from '../session/index.js';
import { CommandFailure, write } from '../terminal/index.js';
import { listenForReturn } from './loopback.js';

/** Number of ms that a person may take to sign in. */
const longest = 300_000;

export interface SignInOptions {
  /**
   * Name of the upstream service with which the user signs in; absent: the user signs in with the password of the
   * account.
   */
  readonly provider: string | undefined;
  /** Whether to open the browser. */
  readonly open: boolean;
}

const random = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** Opens the address in a browser and also prints it, because this machine may have no browser. */
const show = async ({ io, print }: Session, address: string, open: boolean): Promise<void> => {
  await write(
    io.stderr,
    print.json ? `${safeJson({ sign_in_at: address })}\n` : `Sign in at:\n  ${plainLine(address)}\n`,
  );
  if (!open) return;
  const { default: openBrowser } = await import('open');
  // A failure is ignored, because the person can open the address by hand.
  await openBrowser(address).catch(() => undefined);
};

/**
 * Signs a person in with a browser: authorization code with PKCE and a redirect to this machine (RFC 8252, RFC 7636).
 * The tokens replace the profile's credential, and the profile's earlier sign-in ends.
 * @throws CommandFailure `unauthorized` if the sign-in is refused or takes longer than five minutes.
 */
export const signIn = async (session: Session, { provider, open }: SignInOptions): Promise<void> => {
  const { base, print, profileName: profile } = session;
  const state = random(32);
  const verifier = random(64);
  const loopback = await listenForReturn(state);
  let timer: NodeJS.Timeout | undefined;
  try {
    const query = new URLSearchParams({
      redirect_uri: loopback.redirectUri,
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(provider !== undefined && { provider }),
    });
    await show(session, `${base}/v1/auth/authorize?${query}`, open);
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () =>
          reject(new CommandFailure('unauthorized', 'The sign-in was not completed within five minutes.')),
        longest,
      );
    });
    const { code, error } = await Promise.race([loopback.returned, late]);
    if (code === undefined) {
      const why = shortened(plainLine(error ?? ''), 100);
      throw new CommandFailure('unauthorized', `The sign-in was not completed (${why}).`);
    }
    const fields = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: loopback.redirectUri,
      code_verifier: verifier,
    };
    const tokens = await requestTokens(base, fields, (text) => print.debug(text));
    // The profile's previous sign-in is ended. An error is ignored, because that sign-in may have ended already.
    if (session.profile.auth_method === 'oauth' && session.profile.signed_in_at === base)
      await endSignIn(session, () => Promise.resolve());
    await session.change((stored) =>
      withTokens(
        { ...withoutCredential(stored), api_base: base, auth_method: 'oauth', signed_in_at: base },
        tokens,
      ),
    );
    const shown = { profile, auth_method: 'oauth', api_base: base, credential: masked(tokens.idToken) };
    await print.text(`Signed in to ${base} (profile ${profile}).`, shown);
  } finally {
    clearTimeout(timer);
    loopback.close();
  }
};

/**
 * Ends the sign-in of a profile at the service: revokes the key that was created for the profile, and the profile's
 * refresh token. If the service is unreachable or the sign-in has already ended, the failure is reported. The caller
 * can sign the profile out anyway.
 * @param tell reports a key or token that could not be revoked; by default it prints a warning.
 */
export const endSignIn = async (
  session: Session,
  tell: (text: string) => Promise<void> = (text) => session.print.warn(text),
): Promise<void> => {
  const { profile } = session;
  const steps: [string, () => Promise<void>][] = [
    [
      `developer key ${profile.api_key_id}`,
      async () => {
        if (!profile.api_key_id) return;
        const api = await session.ownApi();
        answered(
          await api.DELETE('/v1/dev/keys/{key_id}', { params: { path: { key_id: profile.api_key_id } } }),
        );
      },
    ],
    ['sign-in', () => endTokens(session)],
  ];
  for (const [what, step] of steps) {
    await step().catch((error: unknown) =>
      tell(`The ${what} could not be ended at the service: ${(error as Error).message}`),
    );
  }
};

/**
 * Revokes the currently stored tokens. They are read again here, because the revocation of the key may have renewed
 * them.
 */
const endTokens = async (session: Session): Promise<void> => {
  let stored: Profile = {};
  await session.change((profile) => {
    stored = profile;
    return profile;
  });
  if (stored.signed_in_at !== session.base) return;
  await revokeSignIn(session.base, stored, (text) => session.print.debug(text));
};
