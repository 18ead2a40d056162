/** A change of a source that a test must detect. */
export interface Mutant {
  /** Line number, from 1. */
  readonly line: number;
  /** Offsets of the replaced text in UTF-16 units, the end exclusive. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Returns the source with the change applied. */
export const applied = (source: string, { start, end, replacement }: Mutant): string =>
  source.slice(0, start) + replacement + source.slice(end);

/** Describes the change in one short line. */
export const described = (source: string, { start, end, replacement }: Mutant): string => {
  const short = (text: string): string => {
    const line = text.replace(/\s+/g, ' ').trim();
    return line.length > 60 ? `${line.slice(0, 57)}...` : line;
  };
  return `${short(source.slice(start, end))} => ${short(replacement) || 'nothing'}`;
};
