import { Component } from 'preact';
import { useCallback, useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import {
  clockOf,
  comeBack,
  type Key,
  keysOn,
  Loading,
  ProblemNote,
  Shortcut,
  Speaker,
  useKeys,
} from '../shared/index.js';
import { identityOf, type Row } from './rows.js';
import { SpeakerPicker } from './speaker-picker.js';
import { SplitQuestion } from './split-question.js';
import { TextEditor } from './text-editor.js';
import type { TranscriptState } from './transcript-state.js';

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
        Edit text <Shortcut name="e" />
      </button>
      <button type="button" class="plain" onClick={open('speaker')}>
        Name speaker <Shortcut name="n" />
      </button>
      <button type="button" class="plain" onClick={open('split')}>
        Split here <Shortcut name="s" />
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

/** Number of rows in a block. When a page arrives, a block without changes is not redrawn. */
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

const UndoNote = ({ state, undo }: { state: TranscriptState; undo: () => void }) => {
  const done = state.done.value;
  const problem = state.undoProblem.value;
  return (
    <div class="done">
      <div role="status">
        {done !== null && (
          <p class="row">
            <bdi>{done.text}</bdi>
            {done.undo !== null && (
              <button type="button" class="plain" onClick={undo}>
                Undo <bdi>{done.what}</bdi> <Shortcut name="u" />
              </button>
            )}
          </p>
        )}
      </div>
      {problem !== null && (
        <p role="alert">
          {problem.message}. {problem.remedy}
        </p>
      )}
    </div>
  );
};

/** Returns the keys that act on the current row. */
const keysOf = (state: TranscriptState, undo: () => void): readonly Key[] => {
  const open = (what: 'text' | 'speaker' | 'split') => () => {
    const { current } = state;
    if (current === undefined || !state.complete.peek()) return;
    state.select(current);
    current.open.value = what;
  };
  return [
    { key: 'j', does: 'Go to the next segment', run: () => focusRow(state.move(1)) },
    { key: 'k', does: 'Go to the previous segment', run: () => focusRow(state.move(-1)) },
    { key: 'x', does: 'Go to the next speaker without a name', run: () => focusRow(state.nextUnnamed()) },
    { key: 'e', does: 'Edit the text', run: open('text') },
    { key: 'n', does: 'Name the speaker', run: open('speaker') },
    { key: 's', does: 'Split the conversation', run: open('split') },
    { key: 'u', does: 'Undo the last change', run: undo },
  ];
};

/** The transcript of a conversation, which the user can correct. @param goesOn whether the conversation is in progress */
export const Transcript = ({ state, goesOn }: { state: TranscriptState; goesOn: boolean }) => {
  const { route } = useLocation();
  const undo = useCallback((): void => {
    void state.undo().then((address) => {
      if (address !== null) route(address);
    });
  }, [state, route]);
  useKeys('The transcript', () => keysOf(state, undo), [state, undo]);
  useEffect(
    () =>
      comeBack.subscribe(() => {
        const status = state.problem.peek()?.status;
        if (status === 0 || status === 401) void state.read();
      }),
    [state],
  );
  const problem = state.problem.value;
  const isEmpty = state.complete.value && state.rows.value.length === 0;
  return (
    <div>
      <UndoNote state={state} undo={undo} />
      {problem !== null && <ProblemNote problem={problem} retry={() => void state.read()} />}
      {isEmpty && (
        <p>
          {goesOn ? 'There are no words yet. New words appear here by themselves.' : 'No words are stored.'}
        </p>
      )}
      <Rows state={state} />
      {!state.complete.value && problem === null && <Loading />}
      {!isEmpty && keysOn.value && (
        <p class="small">
          Keys: <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>x</kbd> goes to the next speaker without a name,{' '}
          <kbd>e</kbd> edits, <kbd>n</kbd> names, <kbd>s</kbd> splits, <kbd>u</kbd> undoes, <kbd>?</kbd> lists
          all keys.
        </p>
      )}
    </div>
  );
};
