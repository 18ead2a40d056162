import { createHash, randomBytes } from 'node:crypto';
import { answered } from '../api/index.js';
import { type Profile, withoutCredential } from '../config/index.js';
import { requestTokens, revokeSignIn, withTokens } from '../credentials/index.js';
import { masked, plainLine, safeJson, shortened } from '../output/index.js';
import type { Session } from '../session/index.js';
import { CommandFailure, write } from '../terminal/index.js';
import { listenForReturn } from './loopback.js';

/** Ms that a person has for a sign-in. */
const longest = 300_000;

export interface SignInOptions {
  /** The other service to sign in with; a password of the account when absent. */
  readonly provider: string | undefined;
  /** Whether the browser is opened. */
  readonly open: boolean;
}

const random = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** Shows the address, because there may be no browser here, and opens it. */
const show = async ({ io, print }: Session, address: string, open: boolean): Promise<void> => {
  await write(
    io.stderr,
    print.json ? `${safeJson({ sign_in_at: address })}\n` : `Sign in at:\n  ${plainLine(address)}\n`,
  );
  if (!open) return;
  const { default: openBrowser } = await import('open');
  // Without a browser the address can be opened by hand.
  await openBrowser(address).catch(() => undefined);
};

/**
 * Signs a person in with a browser: authorization code with PKCE, returned to this machine (RFC 8252, RFC 7636). The tokens are stored in
 * the profile in the place of its credential; a sign-in that it had is ended.
 * @throws CommandFailure `unauthorized` when it is refused or takes longer than five minutes.
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
        () => reject(new CommandFailure('unauthorized', 'No sign-in came back within five minutes.')),
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
    // What it was signed in with is no longer needed. It may have ended by itself, which is no failure of this sign-in.
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
 * Ends the sign-in of a profile at the service: revokes the key that was made for it, and its refresh token. What cannot be ended there,
 * because the service is away or the sign-in has ended already, is told, and the profile can be signed out all the same.
 * @param tell is told what could not be ended; by default the person is warned.
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

/** Revokes the tokens as they are stored by now: ending the key may have renewed them. */
const endTokens = async (session: Session): Promise<void> => {
  let stored: Profile = {};
  await session.change((profile) => {
    stored = profile;
    return profile;
  });
  if (stored.signed_in_at !== session.base) return;
  await revokeSignIn(session.base, stored, (text) => session.print.debug(text));
};
