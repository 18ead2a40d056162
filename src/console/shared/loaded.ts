import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, comeBack, type Problem } from './api.js';

/** Data of a page. After a failed request it keeps the last data and adds the problem. */
export interface Loaded<Value> {
  readonly value: Value | null;
  readonly problem: Problem | null;
  readonly loading: boolean;
  /** When the value was read, in ms since 1970. */
  readonly at: number;
  /** When the page will repeat the request by itself, in ms since 1970; null if it will not. */
  readonly againAt: number | null;
  readonly reload: () => void;
}

type Known<Value> = Omit<Loaded<Value>, 'reload'>;

const unknownYet = { value: null, problem: null, loading: true, at: 0, againAt: null };

/** HTTP statuses of a service that is busy for a while. */
const passing = new Set([429, 502, 503, 504]);
/** Maximum seconds before the page repeats a request by itself, unless the service asks for a longer wait. */
const longestWait = 60;

/** Returns the seconds until a failed request is repeated; null if only the user repeats it. */
const waitAfter = ({ status, retryAfter }: Problem, failures: number): number | null =>
  passing.has(status) ? Math.max(retryAfter ?? 1, Math.min(longestWait, 2 ** failures)) : null;

/**
 * Reads data when a page opens, and again if `key` changes. Repeats the request by itself if the service is busy, when
 * a lost connection is back, and after a new sign-in.
 * @param load throws Problem
 */
export const useLoaded = <Value>(key: string, load: () => Promise<Value>): Loaded<Value> => {
  const [known, setKnown] = useState<Known<Value>>(unknownYet);
  const latest = useRef(known);
  const loader = useRef(load);
  loader.current = load;
  const turn = useRef(0);
  const failures = useRef(0);
  const timer = useRef(0);
  const show = (next: Known<Value>): void => {
    latest.current = next;
    setKnown(next);
  };
  const failed = (error: unknown): void => {
    const problem = asProblem(error);
    const wait = waitAfter(problem, ++failures.current);
    show({
      ...latest.current,
      problem,
      loading: false,
      againAt: wait === null ? null : Date.now() + wait * 1000,
    });
    if (wait !== null) timer.current = window.setTimeout(() => read(latest.current), wait * 1000);
  };
  const read = (before: Known<Value>): void => {
    const own = ++turn.current;
    window.clearTimeout(timer.current);
    show({ ...before, loading: true });
    loader.current().then(
      (value) => {
        if (own !== turn.current) return;
        failures.current = 0;
        show({ value, problem: null, loading: false, at: Date.now(), againAt: null });
      },
      (error: unknown) => own === turn.current && failed(error),
    );
  };
  useEffect(() => {
    read(unknownYet);
    return () => {
      turn.current++;
      window.clearTimeout(timer.current);
    };
  }, [key]);
  useEffect(
    () =>
      comeBack.subscribe(() => {
        const { problem, loading } = latest.current;
        if (!loading && (problem?.status === 0 || problem?.status === 401)) read(latest.current);
      }),
    [],
  );
  return { ...known, reload: () => read(latest.current) };
};
