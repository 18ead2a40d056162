import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, type Problem, ProblemNote } from '../shared/index.js';
import { type ApiKey, revokeKey } from './records.js';

/**
 * Asks before a key is revoked. When the question is closed, the focus returns to the element that had it before.
 * @param close called when the question is closed; its argument says whether the key was revoked.
 */
export const RevokeQuestion = ({ apiKey, close }: { apiKey: ApiKey; close: (revoked: boolean) => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const revoked = useRef(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const revoke = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await revokeKey(apiKey);
      revoked.current = true;
      dialog.current?.close();
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  };
  return (
    <dialog ref={dialog} aria-labelledby="revoke" onClose={() => close(revoked.current)}>
      <h2 id="revoke">
        Revoke <bdi>{apiKey.name}</bdi>?
      </h2>
      <p>
        What uses the key <code>{apiKey.key_prefix}</code> is refused at once. This cannot be undone.
      </p>
      {problem !== null && <ProblemNote problem={problem} retry={() => void revoke()} />}
      <form method="dialog" class="row">
        <button type="button" disabled={busy} onClick={() => void revoke()}>
          Revoke it
        </button>
        <button type="submit" class="plain">
          Keep it
        </button>
      </form>
    </dialog>
  );
};
