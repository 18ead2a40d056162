/** Work of the page that a sign-out would break off, such as a recording. */
export interface Unfinished {
  /** What would be broken off, and what happens to it instead, as sentences; null if nothing would. */
  readonly says: () => string | null;
  /** What the button does to the work before it signs the user out, such as `Stop and save`. */
  readonly ending: () => string;
  /** Ends the work. @returns why the user is not signed out, as a sentence; null if the work has ended */
  readonly end: () => Promise<string | null>;
}

const known: Unfinished[] = [];

/** Lets the page ask about this work before it signs the user out. */
export const addUnfinished = (work: Unfinished): void => {
  known.push(work);
};

/** Returns the work that goes on. */
export const unfinished = (): readonly Unfinished[] => known.filter(({ says }) => says() !== null);
