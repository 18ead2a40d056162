import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Problem } from './api.js';
import { speakerClass, timeOf } from './format.js';
import { keysOn } from './keys.js';
import type { Loaded } from './loaded.js';

/** A problem in words, with what to do. */
export const ProblemNote = ({ problem, retry }: { problem: Problem; retry: () => void }) => (
  <div role="alert" class="note">
    <p>
      {problem.message}.{problem.retryAfter !== null && ` Try again in ${problem.retryAfter} s.`}
    </p>
    {problem.requestId !== null && <p class="small">Request {problem.requestId}</p>}
    <button type="button" class="plain" onClick={retry}>
      Try again
    </button>
  </div>
);

/** Says that data is being read. It appears after 200 ms, so that quick answers do not flicker. */
export const Loading = () => {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" class="small">
      {shown ? 'Reading…' : ''}
    </p>
  );
};

/** Shows data in each of its states. */
export const Shown = <Value,>({
  loaded,
  empty,
  isEmpty,
  children,
}: {
  loaded: Loaded<Value>;
  /** What to show instead of an empty value: why, and one next action. */
  empty?: ComponentChildren;
  isEmpty?: (value: Value) => boolean;
  children: (value: Value) => ComponentChildren;
}) => {
  const { value, problem, loading, at, reload } = loaded;
  return (
    <>
      {problem !== null && <ProblemNote problem={problem} retry={reload} />}
      {problem !== null && value !== null && (
        <p class="small">This was read at {timeOf(new Date(at).toISOString())}.</p>
      )}
      {value === null && loading && <Loading />}
      {value !== null && (isEmpty?.(value) === true ? empty : children(value))}
    </>
  );
};

/** Names the key of a button. Nothing is shown while keys are switched off. */
export const Shortcut = ({ name }: { name: string }) => (keysOn.value ? <kbd>{name}</kbd> : null);

/** The mark and the name of a speaker. Marks differ in colour and shape. */
export const Speaker = ({ id, name }: { id: number; name: string }) => (
  <span class={speakerClass(id)}>
    <bdi>{name}</bdi>
  </span>
);

/** The heading of a page, which also names the tab. */
export const Heading = ({ children }: { children: string }) => {
  useEffect(() => {
    document.title = `${children} - Cochlea`;
  }, [children]);
  return <h1>{children}</h1>;
};
