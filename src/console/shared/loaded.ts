import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem } from './api.js';

/** Data of a page. After a failed request the last data stays, with the problem. */
export interface Loaded<Value> {
  readonly value: Value | null;
  readonly problem: Problem | null;
  readonly loading: boolean;
  /** When the value was read, in ms since 1970. */
  readonly at: number;
  readonly reload: () => void;
}

type Known<Value> = Omit<Loaded<Value>, 'reload'>;

const unknownYet = { value: null, problem: null, loading: true, at: 0 };

/** Reads data when a page opens, and again if `key` changes. @param load throws Problem */
export const useLoaded = <Value>(key: string, load: () => Promise<Value>): Loaded<Value> => {
  const [known, setKnown] = useState<Known<Value>>(unknownYet);
  const turn = useRef(0);
  const read = (before: Known<Value>): void => {
    const own = ++turn.current;
    setKnown({ ...before, loading: true });
    load().then(
      (value) => own === turn.current && setKnown({ value, problem: null, loading: false, at: Date.now() }),
      (error: unknown) => {
        const problem = error instanceof Problem ? error : new Problem(0, String(error));
        if (own === turn.current) setKnown((now) => ({ ...now, problem, loading: false }));
      },
    );
  };
  useEffect(() => {
    read(unknownYet);
    return () => {
      turn.current++;
    };
  }, [key]);
  return { ...known, reload: () => read(known) };
};
