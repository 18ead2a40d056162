import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { offlineSince, type Problem } from './api.js';
import { momentOf, speakerClass, timeOf } from './format.js';
import { keysOn } from './keys.js';
import type { Loaded } from './loaded.js';

/**
 * A problem in words, and what the user can do.
 * @param againAt when the page tries again by itself, in ms since 1970
 */
export const ProblemNote = ({
  problem,
  retry,
  againAt = null,
}: {
  problem: Problem;
  retry: () => void;
  againAt?: number | null;
}) => {
  const { message, remedy, retryAfter, status, requestId } = problem;
  const isTimed = againAt !== null && status !== 429;
  return (
    <div role="alert" class="note">
      <p>
        {message}.{remedy !== null && ` ${remedy}`}
        {isTimed && ` The page tries again at ${momentOf(againAt)}.`}
        {againAt === null && retryAfter !== null && status !== 429 && ` Try again in ${retryAfter} s.`}
      </p>
      {requestId !== null && <p class="small">Request {requestId}</p>}
      <button type="button" class="plain" onClick={retry}>
        Try again
      </button>
    </div>
  );
};

/** Says that data is being read. It appears after 200 ms, so that quick answers do not flicker. */
export const Loading = () => {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <p role="status" class="unseen">
        {shown ? 'Reading…' : ''}
      </p>
      {shown && (
        <div class="skeleton" aria-hidden="true">
          <div />
          <div />
          <div />
        </div>
      )}
    </>
  );
};

/** Shows loaded data, or its state: loading, failed or empty. */
export const Shown = <Value,>({
  loaded,
  empty,
  isEmpty,
  children,
}: {
  loaded: Loaded<Value>;
  /** Content in place of an empty value: why it is empty, and one next action. */
  empty?: ComponentChildren;
  isEmpty?: (value: Value) => boolean;
  children: (value: Value) => ComponentChildren;
}) => {
  const { value, problem, loading, at, againAt, reload } = loaded;
  // While the browser is offline, the frame of the page shows a note. So the parts of the page do not repeat it.
  const isTold = problem?.status === 0 && value !== null && offlineSince.value !== null;
  return (
    <>
      {problem !== null && !isTold && <ProblemNote problem={problem} retry={reload} againAt={againAt} />}
      {problem !== null && value !== null && (
        <p class="small">This was read at {timeOf(new Date(at).toISOString())}.</p>
      )}
      {value === null && loading && problem === null && <Loading />}
      {value !== null && (isEmpty?.(value) === true ? empty : children(value))}
    </>
  );
};

/** Shows the key that presses a button. Shows nothing while keys are switched off. */
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
