/** Stored value of a language setting that means automatic detection. */
export const automaticLanguage = 'multi';

/** Pattern of the words that select automatic language detection. */
const automatic = /^(?:auto|multi)$/i;

/**
 * Pattern of the languages that clients may send, after trimming: empty, `auto`, `multi`, or a tag with hyphens or
 * underscores. The pattern has no flags, because the API's description shows only its source.
 */
export const givenLanguage =
  /^(?:[Aa][Uu][Tt][Oo]|[Mm][Uu][Ll][Tt][Ii]|[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3})?$/;

/**
 * Returns the stored form of a client's language: `multi` for automatic detection, a tag with hyphens, or `en` if blank
 * or absent.
 */
export const storedLanguage = (given: string | null | undefined): string => {
  const language = (given ?? '').trim();
  if (automatic.test(language)) return automaticLanguage;
  return language.replaceAll('_', '-') || 'en';
};
