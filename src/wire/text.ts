/** Characters that JSON can carry and PostgreSQL's text cannot: NUL, and halves of surrogate pairs. */
const unstorable = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text as it can be stored: what cannot be is U+FFFD. The same text when all of it can. */
export const storableText = (text: string): string => text.replace(unstorable, '\ufffd');

/** The same for text that may be missing, like `person_id`. */
export const storableName = (name: string | null | undefined): string | null =>
  name === null || name === undefined ? null : storableText(name);
