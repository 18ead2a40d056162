/** Called with the text of a slow statement, its values left out, and the ms it took. */
export type OnSlow = (statement: string, milliseconds: number) => void;

export interface SlowStatements {
  /** Ms; a statement that takes longer is reported. */
  readonly longerThan: number;
  readonly report: OnSlow;
}

/** Characters of a statement that are reported. */
const longestText = 500;

/** A statement of the client library: a promise that is settled through these two functions. */
interface Settled {
  resolve?: (value: unknown) => void;
  reject?: (reason: unknown) => void;
}

/** The text of a statement with a mark for each value and each part that is put in. */
const textOf = (template: unknown): string => {
  const parts = Array.isArray(template) ? template : [String(template)];
  return parts.join('?').replace(/\s+/g, ' ').trim().slice(0, longestText);
};

/**
 * Reports a statement that takes too long, whether it fails or not. The time counts from here, where the statement is made: it
 * includes the wait for a connection. Fragments are never settled, so they are never reported.
 * @param template what the statement was made of: the parts of a tagged template, or its text.
 */
export const timed = <Statement>(
  statement: Statement,
  template: unknown,
  slow: SlowStatements | undefined,
): Statement => {
  const settled = statement as Settled;
  if (slow === undefined || !(statement instanceof Promise)) return statement;
  const { resolve, reject } = settled;
  if (typeof resolve !== 'function' || typeof reject !== 'function') return statement;
  const began = performance.now();
  const report = (): void => {
    const milliseconds = performance.now() - began;
    if (milliseconds > slow.longerThan) slow.report(textOf(template), Math.round(milliseconds));
  };
  settled.resolve = (value) => {
    report();
    resolve(value);
  };
  settled.reject = (reason) => {
    report();
    reject(reason);
  };
  return statement;
};
