import { useEffect, useRef } from 'preact/hooks';
import { keyGroups, keyListShown, keysOn, switchKeys } from '../shared/index.js';

/**
 * The list of the keys that work on the current page. When the list is closed, the focus returns to the element that
 * had it before.
 */
export const KeyList = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  const shown = keyListShown.value;
  useEffect(() => {
    if (shown) dialog.current?.showModal();
  }, [shown]);
  if (!shown) return null;
  return (
    <dialog
      ref={dialog}
      aria-labelledby="key-list"
      onClose={() => {
        keyListShown.value = false;
      }}
    >
      <h2 id="key-list">Keys that work on this page</h2>
      {!keysOn.value && <p>Keys are switched off in the settings.</p>}
      {keyGroups.value.map(({ title, keys }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <dl class="keys">
            {keys.map(({ key, does }) => (
              <div key={key}>
                <dt>
                  {key.split(' ').map((part) => (
                    <kbd key={part}>{part}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
};

/** The setting that switches keys on or off. */
export const KeySetting = () => (
  <section aria-labelledby="keys">
    <h2 id="keys">Keyboard</h2>
    <p>
      <label>
        <input
          type="checkbox"
          checked={keysOn.value}
          onChange={({ currentTarget }) => switchKeys(currentTarget.checked)}
        />{' '}
        Single keys are shortcuts
      </label>
    </p>
    <p class="small">
      A key such as <kbd>/</kbd> acts at once, except in a text field. Switch this off if you control the
      browser by voice, or if keys act by mistake. This browser keeps the choice.
    </p>
    <button
      type="button"
      class="plain"
      onClick={() => {
        keyListShown.value = true;
      }}
    >
      Show the keys
    </button>
  </section>
);
