import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Heading, hasSignIn, momentOf, offlineSince, readMe, session, signOut } from '../shared/index.js';

/** Maximum ms between two requests that check whether the service can be reached again. */
const longestWait = 30_000;

const ask = (): Promise<unknown> => readMe().catch(() => undefined);

/**
 * While the connection is lost, checks repeatedly whether the service can be reached again. The pauses grow. Another
 * check follows when the browser is online again.
 */
export const useReconnect = (): void => {
  const isOffline = offlineSince.value !== null;
  useEffect(() => {
    if (!isOffline) return;
    let wait = 1000;
    let timer = 0;
    let isOver = false;
    const later = (): void => {
      if (isOver) return;
      timer = window.setTimeout(() => void ask().then(later), wait);
      wait = Math.min(longestWait, wait * 2);
    };
    const now = (): void => void ask();
    later();
    addEventListener('online', now);
    return () => {
      isOver = true;
      window.clearTimeout(timer);
      removeEventListener('online', now);
    };
  }, [isOffline]);
};

/** Shows the time at which the connection was lost. */
export const OfflineNote = () => {
  const since = offlineSince.value;
  if (since === null) return null;
  return (
    <section class="note" role="alert" aria-label="No connection">
      <p>
        There is no connection to the service since {momentOf(since)}. What was read stays. The page tries
        again by itself.
      </p>
      <button type="button" class="plain" onClick={() => void ask()}>
        Try now
      </button>
    </section>
  );
};

const Ways = () => (
  <>
    <p>
      The command <code>npx cochlea console</code> prints a link that signs this browser in. Open it in
      another tab.
    </p>
    {hasSignIn && (
      <p>
        <a class="button" href="/console/sign-in" target="_blank" rel="noopener">
          Sign in in another tab
        </a>
      </p>
    )}
  </>
);

/** Covers the page when its session has ended. The covered page keeps typed text, and its recording continues. */
export const SessionEnded = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = useSignal(true);
  const isAsking = useSignal(false);
  const failed = useSignal(false);
  const isEnded = session.value === 'ended';
  useEffect(() => {
    isOpen.value = true;
  }, [isEnded]);
  useEffect(() => {
    if (isEnded && isOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isEnded, isOpen.value]);
  const check = async (): Promise<void> => {
    isAsking.value = true;
    await ask();
    failed.value = session.value === 'ended';
    isAsking.value = false;
  };
  useEffect(() => {
    if (!isEnded) return;
    // Asks again, because the user may have come back from the tab in which they signed in.
    const back = (): void => void ask();
    addEventListener('focus', back);
    return () => removeEventListener('focus', back);
  }, [isEnded]);
  if (!isEnded) return null;
  return (
    <>
      <dialog ref={dialog} aria-labelledby="session-ended" onClose={() => (isOpen.value = false)}>
        <h2 id="session-ended">The session has ended</h2>
        <p>This page stays as it is, also what you typed. Sign in again to go on.</p>
        <Ways />
        {failed.value && <p role="alert">This browser is not signed in yet.</p>}
        <form method="dialog" class="row">
          <button type="button" disabled={isAsking.value} onClick={() => void check()}>
            I have signed in
          </button>
          <button type="submit" class="plain">
            Look at the page
          </button>
        </form>
      </dialog>
      {!isOpen.value && (
        <section class="note" aria-label="The session has ended">
          <p>The session has ended. Nothing is stored until you sign in again.</p>
          <button type="button" class="plain" onClick={() => (isOpen.value = true)}>
            Sign in again
          </button>
        </section>
      )}
    </>
  );
};

/** Page for a browser without a session. */
export const SignedOut = () => (
  <main id="content">
    <Heading>Console</Heading>
    <p>
      This browser is not signed in. The command <code>npx cochlea console</code> prints a link that signs it
      in.
    </p>
    {hasSignIn && (
      <p>
        <a class="button" href="/console/sign-in">
          Sign in
        </a>
      </p>
    )}
  </main>
);

/** Page that is shown while the account of the user is being deleted. */
export const Deleting = () => (
  <main id="content">
    <Heading>This account is being deleted</Heading>
    <p>
      All conversations and other data of the account are being removed. Nothing can be read or changed any
      more.
    </p>
    <button
      type="button"
      class="plain"
      onClick={() => void signOut().catch(() => location.replace('/console'))}
    >
      Sign out
    </button>
  </main>
);
