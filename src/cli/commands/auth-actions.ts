import { answered, failureOf, fixedCredential } from '../api/index.js';
import { developerKey, isExposed, withoutCredential } from '../config/index.js';
import { masked } from '../output/index.js';
import type { Session } from '../session/index.js';
import { CommandFailure, readAll, refused } from '../terminal/index.js';

interface LoginOptions {
  readonly browser?: boolean;
  readonly provider?: string;
  readonly apiKey?: string;
  readonly open: boolean;
}

/** Asks the person on a terminal how to sign in. */
const askedFor = async ({ io }: Session): Promise<'browser' | 'key'> => {
  const { select } = await import('@clack/prompts');
  const answer = await select({
    message: 'How do you sign in?',
    options: [
      { value: 'browser' as const, label: 'with a browser' },
      { value: 'key' as const, label: 'with a developer key' },
    ],
    input: io.stdin,
    output: io.stderr,
  });
  if (answer !== 'browser' && answer !== 'key') throw new CommandFailure('interrupted', 'Aborted.');
  return answer;
};

const typedKey = async ({ io }: Session): Promise<string> => {
  const { password } = await import('@clack/prompts');
  const answer = await password({
    message: 'Developer key (svc_dev_...)',
    input: io.stdin,
    output: io.stderr,
  });
  if (typeof answer !== 'string') throw new CommandFailure('interrupted', 'Aborted.');
  return answer;
};

/** Checks a key at the service and stores it. A refused key is not stored. */
const loginWithKey = async (session: Session, given: string): Promise<void> => {
  const { print, profileName: profile, base } = session;
  const key = developerKey(given);
  const api = await session.apiWith(fixedCredential(key));
  const checked = await api.GET('/v1/dev/key').catch((error: unknown) => {
    if (error instanceof CommandFailure && error.outcome === 'unavailable') return error;
    throw error;
  });
  const failure = checked instanceof CommandFailure ? checked : checked.error ? failureOf(checked) : null;
  if (failure?.outcome === 'unauthorized') throw failure;
  if (failure) await print.warn(`The key is stored, but could not be checked. ${failure.message}`);
  await session.change((stored) => ({
    ...withoutCredential(stored),
    api_base: base,
    auth_method: 'api_key',
    api_key: key,
  }));
  const shown = { profile, auth_method: 'api_key', api_base: base, credential: masked(key) };
  await print.text(`Signed in to ${base} with key ${masked(key)} (profile ${profile}).`, shown);
};

export const login = async (session: Session, options: LoginOptions): Promise<void> => {
  const { io, print } = session;
  const { browser, provider, apiKey } = options;
  if (apiKey !== undefined && (browser || provider !== undefined))
    throw refused('--api-key cannot be combined with a sign-in in a browser.');
  if (apiKey === '-') return loginWithKey(session, await readAll(io.stdin));
  if (apiKey !== undefined) {
    await print.warn(
      'Other users of this machine may have seen the key, and the shell may keep it. "--api-key -" reads it from standard input.',
    );
    return loginWithKey(session, apiKey);
  }
  const terminal = io.stdin.isTTY === true && io.stderr.isTTY === true;
  const way =
    browser || provider !== undefined
      ? 'browser'
      : terminal && !print.json
        ? await askedFor(session)
        : 'piped';
  if (way === 'key') return loginWithKey(session, await typedKey(session));
  if (way === 'piped') return loginWithKey(session, await readAll(io.stdin));
  const { signIn } = await import('../sign-in/sign-in.js');
  await signIn(session, { provider, open: options.open });
};

export const logout = async (session: Session): Promise<void> => {
  const { print, profile, profileName } = session;
  if (profile.auth_method === 'oauth') {
    const { endSignIn } = await import('../sign-in/sign-in.js');
    await endSignIn(session);
  }
  await session.change((stored) => withoutCredential(stored));
  const kept =
    profile.auth_method === 'api_key'
      ? ' The key itself stays valid until it is revoked at the service.'
      : '';
  await print.text(`Profile ${profileName} is signed out.${kept}`, {
    profile: profileName,
    authenticated: false,
  });
  if (session.io.env.COCHLEA_API_KEY) await print.warn('COCHLEA_API_KEY is still set, and is used.');
};

const credentialOf = (session: Session) => {
  const { environmentKey: key, profile } = session;
  if (key !== undefined) return { method: 'api_key', key, source: 'COCHLEA_API_KEY' };
  if (!profile.auth_method && !profile.api_key) return { method: null, key: undefined, source: null };
  return {
    method: profile.auth_method ?? 'api_key',
    key: profile.auth_method === 'oauth' ? profile.id_token : profile.api_key,
    source: 'profile',
  };
};

export const status = async (session: Session): Promise<void> => {
  const { method, key, source } = credentialOf(session);
  const expiry = method === 'oauth' ? session.profile.id_token_expires_at : undefined;
  await session.print.record({
    profile: session.profileName,
    authenticated: method !== null,
    auth_method: method,
    api_base: session.base,
    encrypted: !isExposed(session.base) && session.base.startsWith('https:'),
    credential: masked(key),
    credential_source: source,
    ...(method === 'oauth' && {
      id_token_expires_at: expiry === undefined ? null : new Date(expiry * 1000).toISOString(),
    }),
  });
};

export const whoami = async (session: Session): Promise<void> => {
  const api = await session.api();
  const key = answered(await api.GET('/v1/dev/key'));
  const { method } = credentialOf(session);
  const shown = { profile: session.profileName, auth_method: method, api_base: session.base, key };
  await session.print.record(shown, {
    profile: shown.profile,
    auth_method: shown.auth_method,
    api_base: shown.api_base,
    key: key.key_prefix,
    key_name: key.name,
    key_id: key.id,
    scopes: key.scopes,
  });
};

export const refresh = async (session: Session): Promise<void> => {
  const { print, profile, profileName } = session;
  const { method } = credentialOf(session);
  if (method === null)
    throw new CommandFailure('unauthorized', `Not signed in: profile "${profileName}" has no credential.`);
  if (method === 'api_key') {
    const done = { profile: profileName, refreshed: false };
    return print.text('A developer key does not expire: there is nothing to refresh.', done);
  }
  const token = await session.idToken();
  await token.instead(profile.id_token ?? '');
  await print.text(`The tokens of profile ${profileName} were renewed.`, {
    profile: profileName,
    refreshed: true,
  });
};
