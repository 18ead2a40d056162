/** Unfinished work of the page that a sign-out would interrupt, such as a recording. */
export interface Unfinished {
  /**
   * Returns sentences for the question before a sign-out: what work the sign-out would interrupt, and what happens to
   * this work instead. null if there is no such work now.
   */
  readonly says: () => string | null;
  /** Returns the label of the button that ends the work and signs the user out, such as `Stop and save`. */
  readonly ending: () => string;
  /**
   * Ends the work.
   * @returns null if the work has ended; otherwise a sentence that says why the user is not signed out
   */
  readonly end: () => Promise<string | null>;
}

const known: Unfinished[] = [];

/** Registers work about which the page asks before it signs the user out. */
export const addUnfinished = (work: Unfinished): void => {
  known.push(work);
};

/** Returns the registered work that is unfinished now. */
export const unfinished = (): readonly Unfinished[] => known.filter(({ says }) => says() !== null);
