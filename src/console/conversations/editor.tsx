import type { Row } from './rows.js';
import type { TranscriptState } from './transcript-state.js';

/** Properties of a form that changes a row of the transcript. */
export interface EditorProps {
  readonly state: TranscriptState;
  readonly row: Row;
  readonly close: () => void;
}

/** The buttons of a form. @param label of the button that sends the form */
export const EditorButtons = ({
  label,
  busy,
  close,
}: {
  label: string;
  busy: boolean;
  close: () => void;
}) => (
  <p class="row">
    <button type="submit" disabled={busy}>
      {label}
    </button>
    <button type="button" class="plain" onClick={close}>
      Cancel
    </button>
  </p>
);
