/** A piece of a text, from `index` to `end`. */
export interface Span {
  readonly index: number;
  readonly end: number;
}

/** Returns the piece that a regular expression matched. */
export const spanOf = ({ index, 0: words }: RegExpExecArray): Span => ({ index, end: index + words.length });

/** Replaces pieces of a text by characters that no date contains. */
export const masked = (text: string, spans: readonly Span[]): string =>
  spans.reduce(
    (rest, { index, end }) => `${rest.slice(0, index)}${'■'.repeat(end - index)}${rest.slice(end)}`,
    text,
  );
