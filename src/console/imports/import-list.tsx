import type { ImportItem } from '../importing/index.js';
import { imports, queue } from './queue.js';

const percent = (share: number): number => Math.round(share * 100);

/** Describes the state of an import, without numbers that change often, because screen readers announce each change. */
const wordsOf = ({ state }: ImportItem<File>): string => {
  switch (state.kind) {
    case 'waiting':
      return 'waits for the file before it';
    case 'sending':
      return state.sent < 1 ? 'is being sent' : 'is being read';
    case 'transcribing':
      return state.begun ? 'is being transcribed' : 'waits to be transcribed';
    case 'done':
      return state.conversations.length === 0 ? 'has no words' : 'is imported';
    case 'failed':
      return 'was not imported';
  }
};

const Import = ({ item }: { item: ImportItem<File> }) => {
  const { id, file, state } = item;
  const isOver = state.kind === 'done' || state.kind === 'failed';
  return (
    <li>
      <p>
        <span role="status">
          <bdi>{file.name}</bdi> {wordsOf(item)}.
        </span>{' '}
        {state.kind === 'sending' && (
          <progress aria-label={`Sent of ${file.name}`} max={100} value={percent(state.sent)} />
        )}
        {state.kind === 'done' &&
          state.conversations.map((conversation, at) => (
            <a key={conversation} href={`/console/conversations/${encodeURIComponent(conversation)}`}>
              Open {at === 0 ? 'the conversation' : `conversation ${at + 1}`}
            </a>
          ))}
      </p>
      {state.kind === 'done' && state.incomplete !== null && <p>Audio is missing: {state.incomplete}.</p>}
      {state.kind === 'failed' && (
        <p role="alert" class="note">
          {state.why}
        </p>
      )}
      <p class="row">
        {state.kind === 'failed' && (
          <button
            type="button"
            class="plain"
            aria-label={`Try again: ${file.name}`}
            onClick={() => queue.retry(id)}
          >
            Try again
          </button>
        )}
        <button
          type="button"
          class="plain"
          aria-label={isOver || state.kind === 'transcribing' ? `Hide ${file.name}` : `Cancel ${file.name}`}
          onClick={() => queue.remove(id)}
        >
          {isOver || state.kind === 'transcribing' ? 'Hide' : 'Cancel'}
        </button>
      </p>
    </li>
  );
};

/** The files whose import runs or has ended. */
export const ImportList = () =>
  imports.value.length === 0 ? null : (
    <section aria-labelledby="imports">
      <h2 id="imports">Imported files</h2>
      <ul class="list">
        {imports.value.map((item) => (
          <Import key={item.id} item={item} />
        ))}
      </ul>
    </section>
  );
