import { useSignal } from '@preact/signals';
import { Component } from 'preact';
import { useEffect } from 'preact/hooks';
import { clockOf, ProblemNote, Speaker } from '../shared/index.js';
import { SpeakerPicker } from './speaker-picker.js';
import { SplitQuestion } from './split-question.js';
import { TextEditor } from './text-editor.js';
import { identityOf, type Row, type TranscriptState } from './transcript-state.js';

/** Puts the focus on a row. */
export const focusRow = (row: Row | undefined): void => {
  if (row) document.getElementById(`segment-${row.segment.peek().id}`)?.focus();
};

const Actions = ({ row }: { row: Row }) => {
  const open = (what: 'text' | 'speaker' | 'split') => () => {
    row.open.value = row.open.value === what ? 'nothing' : what;
  };
  return (
    <p class="row actions">
      <button type="button" class="plain" onClick={open('text')}>
        Edit text <kbd>e</kbd>
      </button>
      <button type="button" class="plain" onClick={open('speaker')}>
        Name speaker <kbd>n</kbd>
      </button>
      <button type="button" class="plain" onClick={open('split')}>
        Split here <kbd>s</kbd>
      </button>
    </p>
  );
};

const Line = ({ state, row }: { state: TranscriptState; row: Row }) => {
  const segment = row.segment.value;
  const isCurrent = row.current.value;
  const close = (): void => {
    row.open.value = 'nothing';
    focusRow(row);
  };
  return (
    <li
      id={`segment-${segment.id}`}
      data-row={segment.id}
      tabIndex={isCurrent ? 0 : -1}
      class={isCurrent ? 'current' : undefined}
      onFocusIn={() => state.select(row)}
    >
      <span class="time">{clockOf(segment.start)}</span>
      <Speaker
        id={state.marks.peek().get(identityOf(segment)) ?? segment.speaker_id}
        name={segment.speaker_name}
      />
      {row.open.value === 'text' ? (
        <TextEditor state={state} row={row} close={close} />
      ) : (
        <p>{segment.text}</p>
      )}
      {isCurrent && row.open.value === 'nothing' && state.complete.value && <Actions row={row} />}
      {row.open.value === 'speaker' && <SpeakerPicker state={state} row={row} close={close} />}
      {row.open.value === 'split' && <SplitQuestion state={state} row={row} close={close} />}
    </li>
  );
};

/** Number of rows that are compared as one when a page arrives. */
const blockSize = 50;

interface BlockProps {
  readonly state: TranscriptState;
  readonly rows: readonly Row[];
}

class Block extends Component<BlockProps> {
  override shouldComponentUpdate({ rows }: BlockProps): boolean {
    return rows.length !== this.props.rows.length || rows.some((row, at) => row !== this.props.rows[at]);
  }
  override render() {
    return (
      <ol class="words lines">
        {this.props.rows.map((row) => (
          <Line key={row.segment.peek().id} state={this.props.state} row={row} />
        ))}
      </ol>
    );
  }
}

const Rows = ({ state }: { state: TranscriptState }) => {
  const rows = state.rows.value;
  return (
    <>
      {Array.from({ length: Math.ceil(rows.length / blockSize) }, (_, at) => (
        <Block key={at} state={state} rows={rows.slice(at * blockSize, (at + 1) * blockSize)} />
      ))}
    </>
  );
};

const UndoNote = ({ state }: { state: TranscriptState }) => {
  const failed = useSignal('');
  const done = state.done.value;
  const undo = (): void => {
    state.undo().then(
      () => {
        failed.value = '';
      },
      (error: Error) => {
        failed.value = error.message;
      },
    );
  };
  return (
    <div class="done" role="status">
      {done !== null && (
        <p class="row">
          {done.text}
          {done.undo !== null && (
            <button type="button" class="plain" onClick={undo}>
              Undo <kbd>u</kbd>
            </button>
          )}
          {failed.value !== '' && <span>{failed.value}.</span>}
        </p>
      )}
    </div>
  );
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.closest('input, textarea, select, dialog') !== null || target.isContentEditable);

/** Handles a key that is pressed on the page. @returns whether it means something here */
const handleKey = (state: TranscriptState, key: string): boolean => {
  const { current } = state;
  if (key === 'j' || key === 'k') focusRow(state.move(key === 'j' ? 1 : -1));
  else if (key === 'x') focusRow(state.nextUnnamed());
  else if (key === 'u') void state.undo().catch(() => undefined);
  else if (current === undefined || !state.complete.peek()) return false;
  else if (key === 'e' || key === 'n' || key === 's') {
    state.select(current);
    current.open.value = key === 'e' ? 'text' : key === 'n' ? 'speaker' : 'split';
  } else return false;
  return true;
};

/** The transcript of a conversation, which the user can correct. */
export const Transcript = ({ state }: { state: TranscriptState }) => {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target))
        return;
      if (handleKey(state, event.key)) event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [state]);
  const problem = state.problem.value;
  const isEmpty = state.complete.value && state.rows.value.length === 0;
  return (
    <div>
      <UndoNote state={state} />
      {problem !== null && <ProblemNote problem={problem} retry={() => void state.read()} />}
      {isEmpty && <p>No words are stored.</p>}
      <Rows state={state} />
      {!state.complete.value && problem === null && (
        <p role="status" class="small">
          Reading the transcript…
        </p>
      )}
      {!isEmpty && (
        <p class="small">
          Keys: <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>x</kbd> goes to the next speaker without a name,{' '}
          <kbd>e</kbd> edits, <kbd>n</kbd> names, <kbd>s</kbd> splits, <kbd>u</kbd> undoes.
        </p>
      )}
    </div>
  );
};
