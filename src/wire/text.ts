/**
 * Text as it can be stored and sent: what JSON can carry and PostgreSQL's text cannot, NUL and halves of surrogate pairs,
 * becomes U+FFFD. Other control characters are kept.
 */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** The same for text that may be missing, like `person_id`. */
export const storableName = (name: string | null | undefined): string | null =>
  name === null || name === undefined ? null : storableText(name);

const encoder = new TextEncoder();

/** The longest start of a text that is at most `bytes` long in UTF-8. It is cut between code points, never in one. */
export const startWithin = (text: string, bytes: number): string =>
  text.slice(0, encoder.encodeInto(text, new Uint8Array(bytes)).read);
