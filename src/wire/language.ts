/** Languages as clients spell them: `auto` for automatic detection, `en_US` for `en-US`, and blank for English. */
const automatic = /^(?:auto|multi)$/i;

/**
 * What a client may give as a language, trimmed: nothing, `auto`, `multi`, or a tag with hyphens or underscores. It has no flags,
 * because the API's description shows its source alone.
 */
export const givenLanguage =
  /^(?:[Aa][Uu][Tt][Oo]|[Mm][Uu][Ll][Tt][Ii]|[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3})?$/;

/** The stored form of a client's language: `multi` for automatic detection, a tag with hyphens, or `en` where it is blank or absent. */
export const storedLanguage = (given: string | null | undefined): string => {
  const language = (given ?? '').trim();
  if (automatic.test(language)) return 'multi';
  return language.replaceAll('_', '-') || 'en';
};
