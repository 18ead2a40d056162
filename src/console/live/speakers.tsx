import { useEffect, useRef, useState } from 'preact/hooks';
import { catchFocus, Speaker } from '../shared/index.js';
import { type Segment, type Suggestion, sharesOf } from '../stream/index.js';
import { nameOf } from './names.js';
import { denied, deny, nameSpeaker } from './recorder.js';

const Guess = ({
  guess: { speaker_id, person_id, person_name },
  send,
}: {
  guess: Suggestion;
  send: (person: { id: string; name: string }) => void;
}) => (
  <p class="row">
    <span>
      Sounds like <bdi>{person_name}</bdi>?
    </span>
    <button type="button" class="plain" onClick={() => send({ id: person_id, name: person_name })}>
      Yes
    </button>
    <button type="button" class="plain" onClick={() => deny(speaker_id, person_id)}>
      No
    </button>
  </p>
);

const Naming = ({
  id,
  name,
  share,
  isNamed,
  isOver,
  guess,
}: {
  id: number;
  name: string;
  share: number;
  isNamed: boolean;
  isOver: boolean;
  guess: Suggestion | undefined;
}) => {
  const [text, setText] = useState('');
  const [failed, setFailed] = useState(false);
  const [changing, setChanging] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  const wasNamed = useRef(isNamed);
  useEffect(() => {
    // Moves the focus to the item, because it was in the form, which disappears when the speaker is named.
    if (isNamed && !wasNamed.current) catchFocus(item.current);
    wasNamed.current = isNamed;
  }, [isNamed]);
  const send = (person: { id: string; name: string }): void => {
    const sent = nameSpeaker(id, person);
    setFailed(!sent);
    if (!sent) return;
    setText('');
    setChanging(false);
    // Moves the focus to the item, because it was in the form, which disappears.
    if (isNamed) item.current?.focus();
  };
  return (
    <li ref={item} tabIndex={-1}>
      <Speaker id={id} name={name} /> <span class="small">{share} %</span>
      {isNamed && !changing && !isOver && (
        <p>
          <button type="button" class="plain" onClick={() => setChanging(true)}>
            Change the name<span class="unseen"> {name}</span>
          </button>
        </p>
      )}
      {(!isNamed || changing) && !isOver && (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== '') send({ id: 'new', name: text.trim() });
          }}
        >
          <input
            aria-label={`Name of ${name}`}
            maxLength={100}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <button type="submit" class="plain">
            Name
          </button>
          <button type="button" class="plain" onClick={() => send({ id: 'user', name: '' })}>
            This is me
          </button>
        </form>
      )}
      {guess !== undefined && !isOver && <Guess guess={guess} send={send} />}
      {failed && <p role="alert">There is no connection. Name the speaker again when it is back.</p>}
    </li>
  );
};

/** The speakers of a conversation, with their shares of the speech. The user can name them during the recording. */
export const Speakers = ({
  segments,
  suggestions,
  names,
  isOver,
}: {
  segments: readonly Segment[];
  suggestions: readonly Suggestion[];
  names: ReadonlyMap<string, string>;
  isOver: boolean;
}) => {
  const speakers = sharesOf(segments);
  return (
    <section aria-labelledby="speakers">
      <h2 id="speakers">Speakers</h2>
      {speakers.length === 0 && <p class="small">There are no words yet.</p>}
      <ul class="speakers">
        {speakers.map(({ segment, percent }) => (
          <Naming
            key={segment.speaker_id}
            id={segment.speaker_id}
            name={nameOf(segment, names)}
            share={percent}
            isNamed={segment.is_user || segment.person_id !== null}
            isOver={isOver}
            guess={suggestions.find(
              ({ speaker_id, person_id }) =>
                speaker_id === segment.speaker_id && !denied.value.has(`${speaker_id} ${person_id}`),
            )}
          />
        ))}
      </ul>
    </section>
  );
};
