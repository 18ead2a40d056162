import { useEffect, useMemo, useState } from 'preact/hooks';
import { clockOf, Heading, me, request, useLoaded } from '../shared/index.js';
import type { StreamState } from '../stream/index.js';
import { Announced } from './announced.js';
import { Meter } from './meter.js';
import { microphones } from './microphone.js';
import { failure, mute, muted, start, state, stop, times, transcript, useInput } from './recorder.js';
import { Speakers } from './speakers.js';
import { Words } from './words.js';

const secondsText = (seconds: number): string => `${Math.round(seconds)} s`;

const stateText = (now: StreamState, waiting: number): string => {
  switch (now.kind) {
    case 'connecting':
      return 'Connecting. Recording has begun.';
    case 'live':
      return waiting > 2
        ? `Connected. ${secondsText(waiting)} of earlier audio are being sent.`
        : 'Connected.';
    case 'reconnecting':
      return `The connection is lost. Recording goes on; ${secondsText(waiting)} are kept.`;
    case 'stopping':
      return 'Saving the last words.';
    case 'saved':
      return 'Saved.';
    case 'failed':
      return now.remedy;
  }
};

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

const StateLine = ({ now }: { now: StreamState }) => {
  const { waiting, lost } = times.value;
  const isFailed = now.kind === 'failed';
  return (
    <div role={isFailed ? 'alert' : 'status'} class={isFailed ? 'note' : undefined}>
      <p>
        {stateText(now, waiting)}
        {lost > 0 && ` ${secondsText(lost)} are lost, because only ten minutes of audio can be kept.`}
        {isFailed && now.kept > 0 && ` ${secondsText(now.kept)} of audio are not stored.`}{' '}
        {now.kind === 'saved' && now.conversation !== null && (
          <a href={`/console/conversations/${now.conversation}`}>Open the conversation</a>
        )}
        {now.kind === 'saved' && now.conversation === null && 'Nothing was recorded.'}
      </p>
    </div>
  );
};

/** The page that records, and shows words while they are spoken. */
export const LivePage = () => {
  const [input, setInput] = useState(localStorage.getItem(inputKey) ?? '');
  const people = useLoaded(
    'people',
    async () => (await request<{ id: string; name: string }[]>('people')).body,
  );
  const now = state.value;
  const isOver = now === null || now.kind === 'saved' || now.kind === 'failed';
  const { segments, suggestions } = transcript.value;
  // A person who was named during the recording is not in the list yet.
  const unknown = segments.some(
    ({ person_id }) => person_id !== null && !people.value?.some(({ id }) => id === person_id),
  );
  useEffect(() => {
    if (unknown && !people.loading) people.reload();
  }, [unknown]);
  const names = usePeopleNames(people.value);
  const choose = (id: string): void => {
    localStorage.setItem(inputKey, id);
    setInput(id);
    void useInput(id);
  };
  return (
    <>
      <Heading>Live</Heading>
      <div class="row">
        {isOver ? (
          <button type="button" onClick={() => void start(input, me.value?.language ?? 'en')}>
            {now === null ? 'Start recording' : 'Start another recording'}
          </button>
        ) : (
          <>
            <span class="clock">{clockOf(times.value.recorded)}</span>
            <button type="button" class="plain" aria-pressed={muted.value} onClick={() => mute(!muted.value)}>
              Mute
            </button>
            <button type="button" disabled={now.kind === 'stopping'} onClick={stop}>
              Stop and save
            </button>
          </>
        )}
        <InputChoice isRecording={!isOver} input={input} choose={choose} />
      </div>
      {failure.value !== null && (
        <p role="alert" class="note">
          {failure.value}.
        </p>
      )}
      {now !== null && <StateLine now={now} />}
      {!isOver && <Meter />}
      {now !== null && (
        <div class="columns">
          <section aria-labelledby="words">
            <h2 id="words">Words</h2>
            {segments.length === 0 && !isOver && (
              <p class="small">Speak. Words appear here after some seconds.</p>
            )}
            <Words segments={segments} names={names} />
            <Announced segments={segments} names={names} isOver={isOver} />
          </section>
          <Speakers segments={segments} suggestions={suggestions} names={names} />
        </div>
      )}
      {now === null && (
        <p>The page sends the sound of your microphone to this service, which writes down what is said.</p>
      )}
    </>
  );
};

/** Returns the names of people by id. The map changes only with the list. */
const usePeopleNames = (
  people: readonly { id: string; name: string }[] | null,
): ReadonlyMap<string, string> =>
  useMemo(() => new Map((people ?? []).map(({ id, name }) => [id, name])), [people]);
