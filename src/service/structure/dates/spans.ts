/** A piece of a text, from `index` to `end`. */
export interface Span {
  readonly index: number;
  readonly end: number;
}

/** Returns the piece that a regular expression matched. */
export const spanOf = ({ index, 0: words }: RegExpExecArray): Span => ({ index, end: index + words.length });

/**
 * Replaces each character of some pieces of a text by a character that no date contains. So the positions stay valid.
 */
export const masked = (text: string, spans: readonly Span[]): string =>
  spans.reduce(
    (rest, { index, end }) => `${rest.slice(0, index)}${'■'.repeat(end - index)}${rest.slice(end)}`,
    text,
  );
