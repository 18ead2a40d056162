import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { EditorProps } from './editor.js';

/** Asks whether the conversation is to be split before a segment. */
export const SplitQuestion = ({ state, row, close }: EditorProps) => {
  const { route } = useLocation();
  const failed = useSignal('');
  const busy = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const count = state.rows.peek().length - state.rows.peek().indexOf(row);
  const isFirst = count === state.rows.peek().length;
  // Sets the focus before the next frame, so that keys that the user presses at once reach the button.
  useLayoutEffect(() => button.current?.focus(), []);
  const answer = async (): Promise<void> => {
    busy.value = true;
    try {
      route(await state.split(row));
    } catch (error) {
      failed.value = (error as Error).message;
      busy.value = false;
    }
  };
  return (
    <form
      class="editor"
      onKeyDown={(event) => event.key === 'Escape' && close()}
      onSubmit={(event) => {
        event.preventDefault();
        void answer();
      }}
    >
      <p>
        {isFirst
          ? 'Nothing is before this segment, so the conversation cannot be split here.'
          : `Move this segment and all that follow (${count}) to a new conversation? You can undo this for a day.`}
      </p>
      {failed.value !== '' && <p role="alert">{failed.value}.</p>}
      <p class="row">
        {!isFirst && (
          <button type="submit" ref={button} disabled={busy.value}>
            Split
          </button>
        )}
        <button type="button" class="plain" ref={isFirst ? button : undefined} onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  );
};
