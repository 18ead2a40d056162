/** Characters of the longest `Origin` that is looked at. */
export const longestOrigin = 512;

/**
 * Scheme, host and port as browsers write them, or the text in lower case where it is no address (`null`). `origin` of a URL
 * would be the text `null` for every scheme of an application.
 */
export const canonicalOrigin = (text: string): string => {
  if (!URL.canParse(text)) return text.toLowerCase();
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
};
