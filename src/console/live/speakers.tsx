import { useState } from 'preact/hooks';
import { Speaker } from '../shared/index.js';
import type { Segment, Suggestion } from '../stream/index.js';
import { nameOf } from './names.js';
import { nameSpeaker } from './recorder.js';

const Naming = ({ id, name, isNamed }: { id: number; name: string; isNamed: boolean }) => {
  const [text, setText] = useState('');
  const [failed, setFailed] = useState(false);
  const send = (person: { id: string; name: string }): void => {
    setFailed(!nameSpeaker(id, person));
    setText('');
  };
  return (
    <li>
      <Speaker id={id} name={name} />
      {!isNamed && (
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
      {failed && <p role="alert">There is no connection. Name the speaker again when words appear.</p>}
    </li>
  );
};

/** The speakers of a conversation, whom the user can name while they talk. */
export const Speakers = ({
  segments,
  suggestions,
  names,
}: {
  segments: readonly Segment[];
  suggestions: readonly Suggestion[];
  names: ReadonlyMap<string, string>;
}) => {
  const speakers = [...new Map(segments.map((segment) => [segment.speaker_id, segment])).values()];
  return (
    <section aria-labelledby="speakers">
      <h2 id="speakers">Speakers</h2>
      {speakers.length === 0 && <p class="small">There are no words yet.</p>}
      <ul class="speakers">
        {speakers.map((segment) => (
          <Naming
            key={segment.speaker_id}
            id={segment.speaker_id}
            name={nameOf(segment, names)}
            isNamed={segment.is_user || segment.person_id !== null}
          />
        ))}
      </ul>
      {suggestions.map(({ speaker_id, person_id, person_name }) => (
        <p key={speaker_id}>
          Speaker {speaker_id + 1} may be <bdi>{person_name}</bdi>.{' '}
          <button
            type="button"
            class="plain"
            onClick={() => nameSpeaker(speaker_id, { id: person_id, name: person_name })}
          >
            Yes
          </button>
        </p>
      ))}
    </section>
  );
};
