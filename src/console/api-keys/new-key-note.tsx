import { useEffect, useRef, useState } from 'preact/hooks';
import type { NewKey } from './key-form.js';

const selectText = (element: HTMLElement): void => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
};

/** Tells how a program uses a key: where it sends requests, and with which header. */
const Usage = ({ family }: { family: NewKey['family'] }) =>
  family === 'mcp' ? (
    <p class="small">
      The address of the tool server is <code>{location.origin}/v1/mcp/sse</code>. An assistant sends the key
      as <code>Authorization: Bearer KEY</code>.
    </p>
  ) : (
    <p class="small">
      A first request: <code>{`curl -H "Authorization: Bearer KEY" ${location.origin}/v1/dev/key`}</code>.{' '}
      <a href="/docs">The API page</a> describes all requests.
    </p>
  );

/**
 * Shows a new key once. The key is text of the page and not the value of a field, because browsers store the values of
 * fields. The key leaves the page when the user closes the note, opens another page, or leaves the console.
 */
export const NewKeyNote = ({ made, close }: { made: NewKey; close: () => void }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef<HTMLElement>(null);
  const [said, setSaid] = useState('');
  useEffect(() => {
    heading.current?.focus();
    setSaid('');
    // Removes the key, because a browser may keep a page in memory after the user has left it.
    addEventListener('pagehide', close);
    return () => removeEventListener('pagehide', close);
  }, [made]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(made.secret);
      setSaid('The key is copied.');
    } catch {
      if (shown.current !== null) selectText(shown.current);
      setSaid('This browser does not copy by itself. The key is selected: copy it with Ctrl+C.');
    }
  };
  return (
    <section class="new-key" aria-labelledby="new-key">
      <h2 id="new-key" tabIndex={-1} ref={heading}>
        The key <bdi>{made.name}</bdi> is made
      </h2>
      <p>Copy it now. It is shown only here, and never again.</p>
      <p>
        <code ref={shown}>{made.secret}</code>
      </p>
      <Usage family={made.family} />
      <p class="small">Keep the key secret: it works for every person who has it.</p>
      <p class="row">
        <button type="button" onClick={() => void copy()}>
          Copy
        </button>
        <button type="button" class="plain" onClick={close}>
          I have stored it
        </button>
      </p>
      <p role="status">{said}</p>
    </section>
  );
};
