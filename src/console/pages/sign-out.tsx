import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { asProblem, signOut, signOutWanted, unfinished } from '../shared/index.js';

/** Signs the user out. If the page has unfinished work, asks the user first (`SignOutQuestion`). */
export const askSignOut = (): void => {
  signOutWanted.value = true;
};

/** Asks about unfinished work before the user is signed out, and says why a sign-out failed. */
export const SignOutQuestion = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  const opened = useSignal(false);
  const busy = useSignal(false);
  const failed = useSignal('');
  const wanted = signOutWanted.value;
  const works = unfinished();
  const asks = wanted && (opened.value || works.length > 0 || failed.value !== '');
  const leave = async (): Promise<void> => {
    busy.value = true;
    failed.value = '';
    try {
      for (const { end } of unfinished()) {
        const why = await end();
        if (!signOutWanted.peek()) return;
        if (why !== null) {
          failed.value = why;
          return;
        }
      }
      await signOut();
    } catch (error) {
      const { message, remedy } = asProblem(error);
      failed.value = `${message}.${remedy === null ? '' : ` ${remedy}`}`;
    } finally {
      busy.value = false;
    }
  };
  const stay = (): void => {
    signOutWanted.value = false;
    opened.value = false;
    failed.value = '';
  };
  useEffect(() => {
    if (wanted && unfinished().length === 0) void leave();
  }, [wanted]);
  useEffect(() => {
    if (!asks) return;
    opened.value = true;
    dialog.current?.showModal();
  }, [asks]);
  if (!asks) return null;
  return (
    <dialog ref={dialog} aria-labelledby="sign-out" onClose={stay}>
      <h2 id="sign-out">Sign out</h2>
      {failed.value !== '' && <p role="alert">{failed.value}</p>}
      {works.map(({ says }, at) => (
        <p key={at}>{says()}</p>
      ))}
      <p role="status">{busy.value && 'Signing out…'}</p>
      <form method="dialog" class="row">
        <button type="button" disabled={busy.value} onClick={() => void leave()}>
          {works.length === 0
            ? 'Sign out'
            : `${works.map(({ ending }) => ending()).join(', ')}, then sign out`}
        </button>
        <button type="submit" class="plain">
          Stay
        </button>
      </form>
    </dialog>
  );
};
