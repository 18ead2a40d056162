import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** A key that works without a modifier, or two keys in succession: `g` and another key (`g t`). */
export interface Key {
  readonly key: string;
  /** The effect of the key, for the list of keys. */
  readonly does: string;
  readonly run: () => void;
}

/** The keys of a part of the page. */
export interface KeyGroup {
  readonly title: string;
  readonly keys: readonly Key[];
}

const stored = 'cochlea-keys';

/** Whether keys work. The user can switch them off, because speech input or a slip may press them. */
export const keysOn = signal(localStorage.getItem(stored) !== 'off');
/** The groups of keys that work on the page that is shown. */
export const keyGroups = signal<readonly KeyGroup[]>([]);
/** Whether the list of keys is shown. */
export const keyListShown = signal(false);
/** Whether the field for searching gets the focus when it appears. */
export const searchWanted = signal(false);

/** Switches keys on or off, and remembers it in this browser. */
export const switchKeys = (on: boolean): void => {
  keysOn.value = on;
  localStorage.setItem(stored, on ? 'on' : 'off');
};

/** Adds keys while a component is shown. @param make is called again when one of `inputs` changes */
export const useKeys = (title: string, make: () => readonly Key[], inputs: readonly unknown[]): void => {
  useEffect(() => {
    const group = { title, keys: make() };
    keyGroups.value = [...keyGroups.peek(), group];
    return () => {
      keyGroups.value = keyGroups.peek().filter((other) => other !== group);
    };
  }, inputs);
};

/** Kinds of input fields that take no text. */
const withoutText = new Set(['checkbox', 'radio', 'button', 'submit']);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('textarea, select, [role=listbox]') !== null ||
    (target instanceof HTMLInputElement && !withoutText.has(target.type)));

/** Maximum ms between the first and the second key of a pair. */
const longestPause = 2000;

/** Returns the listener that runs the action of a pressed key. While a dialog is open, it does nothing. */
const keyListener = (): ((event: KeyboardEvent) => void) => {
  let first: { readonly key: string; readonly at: number } | null = null;
  return (event) => {
    if (event.key === 'Shift') return;
    const before = first !== null && event.timeStamp - first.at <= longestPause ? `${first.key} ` : '';
    first = null;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    if (!keysOn.peek() || isTyping(event.target) || document.querySelector('dialog[open]') !== null) return;
    const pressed = before + event.key;
    const keys = keyGroups.peek().flatMap((group) => group.keys);
    const found = keys.find(({ key }) => key === pressed);
    if (found !== undefined) found.run();
    else if (keys.some(({ key }) => key.startsWith(`${pressed} `)))
      first = { key: pressed, at: event.timeStamp };
    else return;
    event.preventDefault();
  };
};

/** Listens to keys while a component is shown. */
export const useKeyListener = (): void => {
  useEffect(() => {
    const listener = keyListener();
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
};
