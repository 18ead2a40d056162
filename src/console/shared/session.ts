import { signal } from '@preact/signals';
import { comeBack, onRefused, request } from './api.js';

export interface Me {
  readonly uid: string;
  readonly name: string | null;
  readonly address: string;
  readonly language: string | null;
  readonly capabilities: { readonly account_page: boolean };
}

/**
 * Whether this browser has a session. `ended`: the browser had a session when the page was loaded, and has none now.
 * `deleting`: the account is being deleted.
 */
export type Session = 'unknown' | 'open' | 'none' | 'ended' | 'deleting';

/** The session of this browser. */
export const session = signal<Session>('unknown');
/** The signed-in user; null before it is known. */
export const me = signal<Me | null>(null);

onRefused.call = (why) => {
  if (why === 'deleting') session.value = 'deleting';
  else session.value = session.value === 'open' || session.value === 'ended' ? 'ended' : 'none';
};

/** Reads the signed-in user. If the user differs from the one before, loads the whole page again. @throws Problem */
export const readMe = async (): Promise<Me> => {
  const { body } = await request<Me>('me');
  if (me.value !== null && me.value.uid !== body.uid) location.replace('/console');
  const isBack = session.value === 'ended';
  me.value = body;
  session.value = 'open';
  if (isBack) comeBack.value++;
  return body;
};

const channelName = 'cochlea-sign-out';

const isWebAddress = (given: unknown): given is string =>
  typeof given === 'string' && /^https?:\/\//.test(given);

/**
 * Ends the session. All pages of this browser stop their recordings. If the sign-in must also be ended at the issuer,
 * the browser then goes to a page of the issuer.
 * @throws Problem
 */
export const signOut = async (): Promise<void> => {
  const { body } = await request<{ readonly continue_at?: unknown } | null>('sign-out', { method: 'POST' });
  new BroadcastChannel(channelName).postMessage(null);
  const to = body?.continue_at;
  location.replace(isWebAddress(to) ? to : '/console');
};

/** Calls `work` when a page of this browser ends the session. */
export const onSignOut = (work: () => void): void => {
  new BroadcastChannel(channelName).onmessage = work;
};

/** Whether the page asks about unfinished work before it signs the user out. */
export const signOutWanted = signal(false);

/** Whether users can sign in with an account at this service. Otherwise only a link opens the console. */
export const hasSignIn = document.getElementById('app')?.hasAttribute('data-sign-in') === true;
