import { useState } from 'preact/hooks';
import {
  BatchBar,
  ConversationList,
  type ConversationPart,
  type Filter,
  FilterForm,
  isNarrow,
  NoConversation,
  noFilter,
  readConversations,
  readFolders,
  readLive,
  readPeople,
  type Selection,
  searchConversations,
} from '../conversations/index.js';
import { ExportEverything } from '../exports/index.js';
import { ImportFiles } from '../imports/index.js';
import { asProblem, Heading, type Problem, ProblemNote, Shown, timeOf, useLoaded } from '../shared/index.js';

const partSize = 25;

/** All parts of the list after the first one. */
const Further = ({ first, filter, selection }: { first: string; filter: Filter; selection: Selection }) => {
  const [parts, setParts] = useState<readonly ConversationPart[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [reading, setReading] = useState(false);
  const next = parts.length === 0 ? first : parts.at(-1)!.next;
  const more = async (): Promise<void> => {
    setReading(true);
    try {
      const part = await readConversations(partSize, next, filter);
      setParts((before) => [...before, part]);
      setProblem(null);
    } catch (error) {
      setProblem(asProblem(error));
    }
    setReading(false);
  };
  return (
    <>
      {parts.map(({ conversations }, at) => (
        <ConversationList key={at} conversations={conversations} selection={selection} />
      ))}
      {problem !== null && <ProblemNote problem={problem} retry={() => void more()} />}
      {next !== null && problem === null && (
        <button type="button" class="plain" disabled={reading} onClick={() => void more()}>
          Show more
        </button>
      )}
    </>
  );
};

const Live = () => {
  const live = useLoaded('live', readLive);
  if (live.value === null || live.value.length === 0) return null;
  return (
    <section aria-labelledby="live-now">
      <h2 id="live-now">Live now</h2>
      <ul class="list">
        {live.value.map(({ id, source, started_at }) => (
          <li key={id}>
            <a href={`/console/conversations/${id}`}>
              Conversation by <bdi>{source}</bdi>
            </a>{' '}
            <span class="small">since {timeOf(started_at)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
};

/** The list of conversations, with search, filters, and changes of several at once. */
export const ConversationsPage = () => {
  const [filter, setFilter] = useState(noFilter);
  const [text, setText] = useState('');
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [round, setRound] = useState(0);
  const folders = useLoaded('folders', readFolders);
  const people = useLoaded('people', readPeople);
  const key = JSON.stringify([filter, text, round]);
  const first = useLoaded(key, () =>
    text === '' ? readConversations(partSize, null, filter) : searchConversations(text),
  );
  const toggle = (id: string): void => {
    const changed = new Set(ids);
    if (!changed.delete(id)) changed.add(id);
    setIds(changed);
  };
  const show = (work: () => void): void => {
    setIds(new Set());
    work();
  };
  const selection = { ids, toggle };
  const isAll = text === '' && !isNarrow(filter);
  return (
    <>
      <Heading>Conversations</Heading>
      <Live />
      <ImportFiles imported={first.reload} />
      <FilterForm
        filter={filter}
        change={(changed) => show(() => setFilter(changed))}
        search={(wanted) => show(() => setText(wanted))}
        folders={folders.value ?? []}
        people={people.value ?? []}
      />
      <BatchBar
        ids={[...ids]}
        folders={folders.value ?? []}
        changed={() => show(() => setRound(round + 1))}
      />
      <Shown
        loaded={first}
        isEmpty={(part) => part.conversations.length === 0}
        empty={isAll ? <NoConversation /> : <p>No conversation matches. Change the search or the filters.</p>}
      >
        {(part) => (
          <>
            <ConversationList conversations={part.conversations} selection={selection} />
            {part.next !== null && (
              <Further key={key} first={part.next} filter={filter} selection={selection} />
            )}
          </>
        )}
      </Shown>
      <ExportEverything />
    </>
  );
};
