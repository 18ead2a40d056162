/** Maximum length of an `Origin` header that is read, in characters. */
export const longestOrigin = 512;

/**
 * Returns scheme, host and port in the spelling of browsers. A text that is not an address, such as `null`, is returned
 * in lower case. `URL.origin` is not used, because it returns the text `null` for every custom scheme.
 */
export const canonicalOrigin = (text: string): string => {
  if (!URL.canParse(text)) return text.toLowerCase();
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
};
