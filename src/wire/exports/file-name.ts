import type { ExportedConversation, ExportFormat } from './formats.js';
import { plainName } from './plain.js';

/**
 * Maximum number of characters of a title in a file name. File systems allow 255 bytes, and a character needs at most 4
 * bytes.
 */
const longestTitle = 50;

/** Characters that some operating systems do not allow in file names. */
const unsafe = /[/\\:*?"<>|%\ufffd]/g;

/** Returns a title as a part of a file name. */
const fileTitle = (title: string): string => {
  const safe = plainName(title).replace(unsafe, ' ').replace(/ +/g, ' ');
  return [...safe]
    .slice(0, longestTitle)
    .join('')
    .replace(/^[. ]+|[. ]+$/g, '');
};

/** Returns the name of an exported file: the day of the conversation in UTC and its title. */
export const exportName = (
  { structured, started_at: started, created_at: created }: ExportedConversation,
  format: ExportFormat,
): string => {
  const day = (started ?? created).slice(0, 10);
  return `${[day, fileTitle(structured.title)].filter((part) => part).join(' ')}.${format}`;
};

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Returns the header `Content-Disposition` of a file (RFC 6266). The header also contains a name of ASCII characters
 * for old clients.
 */
export const attachmentOf = (name: string): string => {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded(name)}`;
};
