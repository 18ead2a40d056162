import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { catchFocus, Heading, periodOf, Shown, useLoaded } from '../shared/index.js';
import { type Conversation, changeConversation, changeMany, readFolders, titleOf } from './records.js';

const longestTitle = 500;

const TitleEditor = ({
  title,
  save,
  close,
}: {
  title: string;
  save: (title: string) => Promise<void>;
  close: () => void;
}) => {
  const text = useSignal(title);
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.value.trim() !== '') void save(text.value.trim());
      }}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <input
        aria-label="Title"
        maxLength={longestTitle}
        value={text.value}
        ref={(field) => field?.focus()}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
      />
      <button type="submit">Save</button>
      <button type="button" class="plain" onClick={close}>
        Cancel
      </button>
    </form>
  );
};

const FolderChoice = ({ folder, move }: { folder: string | null; move: (id: string | null) => void }) => {
  const folders = useLoaded('folders', readFolders);
  return (
    <Shown loaded={folders}>
      {(list) => (
        <label>
          Folder{' '}
          <select value={folder ?? ''} onChange={({ currentTarget }) => move(currentTarget.value || null)}>
            <option value="">None</option>
            {list.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </Shown>
  );
};

/** Title, star, folder and deletion of a conversation. @param changed called with the conversation after a change */
export const ConversationHead = ({
  conversation,
  changed,
}: {
  conversation: Conversation;
  changed: (conversation: Conversation) => void;
}) => {
  const { id, started_at, finished_at, status, starred, folder_id } = conversation;
  const { route } = useLocation();
  const open = useSignal<'nothing' | 'title' | 'delete'>('nothing');
  const failed = useSignal('');
  const buttons = { title: useRef<HTMLButtonElement>(null), delete: useRef<HTMLButtonElement>(null) };
  const before = useRef(open.value);
  useEffect(() => {
    // The closed form had the focus, which now returns to the button that opened the form.
    if (open.value === 'nothing' && before.current !== 'nothing') catchFocus(buttons[before.current].current);
    before.current = open.value;
  }, [open.value]);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      open.value = 'nothing';
      failed.value = '';
    } catch (error) {
      failed.value = (error as Error).message;
    }
  };
  const change = (values: object): Promise<void> =>
    attempt(async () => changed({ ...conversation, ...(await changeConversation(id, values)) }));
  const remove = (): Promise<void> =>
    attempt(async () => {
      await changeMany([id], { action: 'delete' });
      route('/console/conversations');
    });
  return (
    <>
      <Heading>{titleOf(conversation)}</Heading>
      <p class="small">
        <span class="whole">{periodOf(started_at, finished_at)}</span>
        {status === 'in_progress' && ' · goes on'}
        {starred && ' · ★ starred'}
      </p>
      {open.value === 'title' ? (
        <TitleEditor
          title={conversation.structured.title}
          save={(title) => change({ title })}
          close={() => {
            open.value = 'nothing';
          }}
        />
      ) : (
        <div class="row">
          <button
            type="button"
            class="plain"
            ref={buttons.title}
            onClick={() => {
              open.value = 'title';
            }}
          >
            Edit title
          </button>
          <button type="button" class="plain" onClick={() => void change({ starred: !starred })}>
            {starred ? 'Remove the star' : 'Star'}
          </button>
          <FolderChoice folder={folder_id} move={(folder) => void change({ folder_id: folder })} />
          <button
            type="button"
            class="plain"
            ref={buttons.delete}
            onClick={() => {
              open.value = 'delete';
            }}
          >
            Delete
          </button>
        </div>
      )}
      {open.value === 'delete' && (
        <section aria-label="Delete the conversation" class="question">
          <p>Delete this conversation with its transcript? This cannot be undone.</p>
          <p class="row">
            <button type="button" onClick={() => void remove()}>
              Delete it
            </button>
            <button
              type="button"
              class="plain"
              onClick={() => {
                open.value = 'nothing';
              }}
            >
              Keep it
            </button>
          </p>
        </section>
      )}
      {failed.value !== '' && (
        <p role="alert" class="note">
          {failed.value}.
        </p>
      )}
    </>
  );
};
