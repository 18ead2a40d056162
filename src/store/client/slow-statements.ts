/** Called with the text of a slow statement, without its values, and the ms it took. */
export type OnSlow = (statement: string, milliseconds: number) => void;

export interface SlowStatements {
  /** Statements that take more than this number of ms are reported. */
  readonly longerThan: number;
  readonly report: OnSlow;
}

/** Maximum length of a reported statement text, in characters. A longer text is cut off. */
const longestText = 500;

/** Returns the text of a statement. A question mark replaces each value and each embedded fragment. */
const textOf = (template: unknown): string => {
  const parts = Array.isArray(template) ? template : [String(template)];
  return parts.join('?').replace(/\s+/g, ' ').trim().slice(0, longestText);
};

/**
 * Reports a statement that was slow, whether it succeeded or failed.
 * @param template the parts of a tagged template, or the statement's text.
 * @param milliseconds since the statement was made, including the wait for a connection.
 */
export const reportSlow = (
  { longerThan, report }: SlowStatements,
  template: unknown,
  milliseconds: number,
): void => {
  if (milliseconds > longerThan) report(textOf(template), Math.round(milliseconds));
};
