import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import {
  addressOf,
  BatchBar,
  ConversationList,
  type ConversationPart,
  type Filter,
  FilterForm,
  isNarrow,
  isReversed,
  LiveList,
  NoConversation,
  readConversations,
  readFolders,
  readPeople,
  type Selection,
  searchConversations,
  useLive,
  wantedOf,
} from '../conversations/index.js';
import { ExportEverything } from '../exports/index.js';
import { ImportFiles } from '../imports/index.js';
import { asProblem, Heading, type Problem, ProblemNote, Shown, useLoaded } from '../shared/index.js';

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

/** Conversations that a search found, but that are not close to its text. The user may look at them nevertheless. */
const Far = ({ part, selection }: { part: ConversationPart; selection: Selection }) => {
  const [shown, setShown] = useState(false);
  const { conversations, far = [] } = part;
  if (far.length === 0) return null;
  return (
    <section aria-label="Weaker matches">
      {conversations.length === 0 && <p>No conversation matches this search well.</p>}
      {shown ? (
        <ConversationList conversations={far} selection={selection} />
      ) : (
        <button type="button" class="plain" onClick={() => setShown(true)}>
          Show {far.length} weaker {far.length === 1 ? 'match' : 'matches'}
        </button>
      )}
    </section>
  );
};

const Live = () => {
  const live = useLive();
  if (live.value === null || live.value.length === 0) return null;
  return (
    <section aria-labelledby="live-now">
      <h2 id="live-now">Live now</h2>
      <LiveList conversations={live.value} />
    </section>
  );
};

/** The list for a filter whose first day is after its last day. No conversation can match such a filter. */
const none: ConversationPart = { conversations: [], next: null };

/** Returns the search and the filter that the page's address contains, and functions to change them. */
const useWanted = () => {
  const { query, route } = useLocation();
  const wanted = wantedOf(query);
  const { text, filter } = wanted;
  const typed = useRef({ day: '', address: '' });
  const changeFilter = (changed: Filter): void => {
    const day = (['from', 'to'] as const).find((name) => changed[name] !== filter[name]) ?? '';
    const { current } = typed;
    // While a user types a day, each digit changes the filter. All these changes share one entry of the browser's
    // history, so that one step back leads to the filter before the typing.
    const goesOn = day !== '' && changed[day] !== '' && day === current.day;
    const address = addressOf({ text, filter: changed });
    route(address, goesOn && current.address === addressOf(wanted));
    typed.current = { day, address };
  };
  const search = (sought: string): void => route(addressOf({ text: sought, filter }));
  return { ...wanted, changeFilter, search };
};

/** The list of conversations, with search, filters, and changes of several at once. */
export const ConversationsPage = () => {
  const { text, filter, changeFilter, search } = useWanted();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [round, setRound] = useState(0);
  const folders = useLoaded('folders', readFolders);
  const people = useLoaded('people', readPeople);
  const key = JSON.stringify([filter, text, round]);
  const first = useLoaded(key, async () => {
    if (text !== '') return searchConversations(text);
    return isReversed(filter) ? none : readConversations(partSize, null, filter);
  });
  useEffect(() => setIds(new Set()), [key]);
  const toggle = (id: string): void => {
    const changed = new Set(ids);
    if (!changed.delete(id)) changed.add(id);
    setIds(changed);
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
        change={changeFilter}
        text={text}
        search={search}
        folders={folders.value ?? []}
        people={people.value ?? []}
      />
      <BatchBar ids={[...ids]} folders={folders.value ?? []} changed={() => setRound(round + 1)} />
      <Shown
        loaded={first}
        isEmpty={({ conversations, far = [] }) => conversations.length + far.length === 0}
        empty={isAll ? <NoConversation /> : <p>No conversation matches. Change the search or the filters.</p>}
      >
        {(part) => (
          <>
            {part.conversations.length > 0 && (
              <ConversationList conversations={part.conversations} selection={selection} />
            )}
            <Far key={key} part={part} selection={selection} />
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
