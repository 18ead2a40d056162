/** Spellings of languages by clients: `auto` for automatic detection, `en_US` for `en-US`, and blank for English. */
const automatic = /^(?:auto|multi)$/i;

/**
 * Accepted language of a client, trimmed: empty, `auto`, `multi`, or a tag with hyphens or underscores. It has no flags, because the
 * API's description shows only its source.
 */
export const givenLanguage =
  /^(?:[Aa][Uu][Tt][Oo]|[Mm][Uu][Ll][Tt][Ii]|[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3})?$/;

/** Stored form of a client's language: `multi` for automatic detection, a tag with hyphens, or `en` if blank or absent. */
export const storedLanguage = (given: string | null | undefined): string => {
  const language = (given ?? '').trim();
  if (automatic.test(language)) return 'multi';
  return language.replaceAll('_', '-') || 'en';
};
