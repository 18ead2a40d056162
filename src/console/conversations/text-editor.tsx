import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { asProblem, type Problem } from '../shared/index.js';
import { EditorButtons, type EditorProps } from './editor.js';

const longestText = 20_000;

/** Changes the text of a segment. Enter stores it, Escape leaves it. */
export const TextEditor = ({ state, row, close }: EditorProps) => {
  const text = useSignal(row.segment.peek().text);
  const failed = useSignal<Problem | null>(null);
  const saving = useSignal(false);
  const field = useRef<HTMLTextAreaElement>(null);
  // Sets the focus before the next frame, so that keys that the user presses at once reach the field.
  useLayoutEffect(() => field.current?.focus(), []);
  const save = async (): Promise<void> => {
    if (text.value.trim() === '' || saving.value) return;
    saving.value = true;
    try {
      await state.changeText(row, text.value);
      close();
    } catch (error) {
      failed.value = asProblem(error);
    }
    saving.value = false;
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) void save();
    else return;
    event.preventDefault();
  };
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <textarea
        ref={field}
        aria-label="Text of the segment"
        maxLength={longestText}
        rows={3}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
        onKeyDown={pressed}
      />
      {failed.value !== null && (
        <p role="alert">
          {failed.value.message}.
          {failed.value.status === 409 && ' Your text stays here. Copy it, and read the conversation again.'}
        </p>
      )}
      <EditorButtons label="Save" busy={saving.value} close={close} />
    </form>
  );
};
