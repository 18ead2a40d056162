/** Called with the text of a slow statement, its values left out, and the ms it took. */
export type OnSlow = (statement: string, milliseconds: number) => void;

export interface SlowStatements {
  /** Ms; a statement that takes longer is reported. */
  readonly longerThan: number;
  readonly report: OnSlow;
}

/** Characters of a statement that are reported. */
const longestText = 500;

/** The text of a statement with a mark for each value and each part that is put in. */
const textOf = (template: unknown): string => {
  const parts = Array.isArray(template) ? template : [String(template)];
  return parts.join('?').replace(/\s+/g, ' ').trim().slice(0, longestText);
};

/**
 * Reports a statement that took too long, whether it failed or not.
 * @param template what the statement was made of: the parts of a tagged template, or its text.
 * @param milliseconds since it was made, the wait for a connection included.
 */
export const reportSlow = (
  { longerThan, report }: SlowStatements,
  template: unknown,
  milliseconds: number,
): void => {
  if (milliseconds > longerThan) report(textOf(template), Math.round(milliseconds));
};
