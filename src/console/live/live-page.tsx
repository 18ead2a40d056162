import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { catchFocus, clockOf, Heading, me, request, useLoaded } from '../shared/index.js';
import type { StreamState } from '../stream/index.js';
import { Announced } from './announced.js';
import { Meter } from './meter.js';
import {
  failure,
  keepsAudio,
  mute,
  muted,
  notice,
  start,
  state,
  stop,
  times,
  transcript,
  useInput,
} from './recorder.js';
import { hasTabs, microphones } from './sound.js';
import { Speakers } from './speakers.js';
import { StateLine } from './state-line.js';
import { Words } from './words.js';

const inputKey = 'cochlea-input';

const useInputs = (isRecording: boolean) => {
  const [inputs, setInputs] = useState<Awaited<ReturnType<typeof microphones>>>([]);
  useEffect(() => {
    if (navigator.mediaDevices === undefined) return;
    const read = (): void => void microphones().then(setInputs);
    read();
    navigator.mediaDevices.addEventListener('devicechange', read);
    return () => navigator.mediaDevices.removeEventListener('devicechange', read);
  }, [isRecording]);
  return inputs;
};

const InputChoice = ({
  isRecording,
  input,
  choose,
}: {
  isRecording: boolean;
  input: string;
  choose: (id: string) => void;
}) => {
  const inputs = useInputs(isRecording);
  return (
    <label class="inline">
      Microphone{' '}
      <select value={input} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">The one that the browser chooses</option>
        {inputs.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
};

const Buttons = ({ now, input, tab }: { now: StreamState | null; input: string; tab: boolean }) => {
  const isOver = now === null || now.kind === 'saved' || now.kind === 'failed';
  if (isOver)
    return (
      <button
        type="button"
        disabled={keepsAudio()}
        onClick={() => void start({ input, tab, language: me.value?.language ?? 'en' })}
      >
        {now === null ? 'Start recording' : 'Start another recording'}
      </button>
    );
  return (
    <>
      <span class="clock">{clockOf(times.value.recorded)}</span>
      <button type="button" class="plain" onClick={() => mute(!muted.value)}>
        {muted.value ? 'Unmute' : 'Mute'}
      </button>
      <button type="button" disabled={now.kind === 'stopping'} onClick={stop}>
        Stop and save
      </button>
    </>
  );
};

/** The page that records, and shows words while they are spoken. */
export const LivePage = () => {
  const [input, setInput] = useState(localStorage.getItem(inputKey) ?? '');
  const [tab, setTab] = useState(false);
  const people = useLoaded(
    'people',
    async () => (await request<{ id: string; name: string }[]>('people')).body,
  );
  const now = state.value;
  const isOver = now === null || now.kind === 'saved' || now.kind === 'failed';
  const { conversation, earlier, segments, suggestions } = transcript.value;
  // If a segment has a person who is not in the list of people, the list is read again, because the person was named
  // later.
  const unknown = segments.some(
    ({ person_id }) => person_id !== null && !people.value?.some(({ id }) => id === person_id),
  );
  useEffect(() => {
    if (unknown && !people.loading) people.reload();
  }, [unknown]);
  const names = usePeopleNames(people.value);
  const controls = useRef<HTMLElement>(null);
  // Moves the focus if needed: the pressed button had the focus, and other buttons may now replace it.
  useEffect(() => {
    if (now !== null) catchFocus(controls.current);
  }, [now?.kind]);
  const choose = (id: string): void => {
    localStorage.setItem(inputKey, id);
    setInput(id);
    void useInput(id);
  };
  return (
    <>
      <Heading>Live</Heading>
      <section class="row" aria-label="Recording" tabIndex={-1} ref={controls}>
        <Buttons now={now} input={input} tab={tab} />
        <InputChoice isRecording={!isOver} input={input} choose={choose} />
        {isOver && hasTabs() && (
          <label class="inline">
            <input
              type="checkbox"
              checked={tab}
              onChange={({ currentTarget }) => setTab(currentTarget.checked)}
            />{' '}
            Also the sound of a tab
          </label>
        )}
      </section>
      {failure.value !== null && (
        <p role="alert" class="note">
          {failure.value}.
        </p>
      )}
      {notice.value !== null && !isOver && <p role="status">{notice.value}.</p>}
      {now !== null && <StateLine now={now} />}
      {!isOver && <Meter />}
      {now !== null && (
        <div class="columns">
          <section aria-labelledby="words">
            <h2 id="words">Words</h2>
            {segments.length === 0 && !isOver && (
              <p class="small">Speak. Words appear here after some seconds.</p>
            )}
            {earlier > 0 && (
              <p class="small">
                {earlier} earlier sentences are in{' '}
                <a href={`/console/conversations/${conversation}`}>the conversation</a>.
              </p>
            )}
            <Words segments={segments} names={names} />
            <Announced segments={segments} names={names} isOver={isOver} />
          </section>
          <Speakers segments={segments} suggestions={suggestions} names={names} isOver={isOver} />
        </div>
      )}
      {now === null && (
        <p>
          The page sends the sound of your microphone to this service, which writes down what is said. With
          the sound of a tab, such as a call in the browser, the tab counts as one more speaker.
        </p>
      )}
    </>
  );
};

/** Returns the names of people by id. Returns a new map only if the list changes. */
const usePeopleNames = (
  people: readonly { id: string; name: string }[] | null,
): ReadonlyMap<string, string> =>
  useMemo(() => new Map((people ?? []).map(({ id, name }) => [id, name])), [people]);
