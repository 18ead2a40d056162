import { ask, type Bucket, fail, longestPage, textsOf } from './bucket-requests.js';
import type { StoredFile } from './storage.js';

/**
 * Number of names that are requested for each page of a list. A name has at most 1,024 bytes, so a page fits into
 * `longestPage`.
 */
export const mostNames = 1000;
/** Maximum number of pages of the file list. */
const mostPages = 1000;
/** Maximum time for all pages of the list together, as a multiple of the maximum time for one request. */
const listingRequests = 10;

/**
 * Copies a text into its own memory. A substring shares the memory of the complete text, so a stored name would
 * keep its page in memory.
 */
const copyOf = (text: string): string => Buffer.from(text).toString();

/**
 * Returns the files in a page of a listing. A response that is no listing is refused. Otherwise it would count as an
 * empty listing, which would confirm that files are deleted.
 */
const filesOf = (bucket: Bucket, xml: string): StoredFile[] => {
  const { prefix } = bucket;
  if (!xml.includes('<ListBucketResult')) fail(bucket, 'it answers without a listing');
  const keys = textsOf(xml, 'Key');
  if (keys.length > mostNames) fail(bucket, 'its listing has more names than requested');
  const sizes = textsOf(xml, 'Size');
  const times = textsOf(xml, 'LastModified');
  const files: StoredFile[] = [];
  for (const [index, key] of keys.entries()) {
    // Skips files of subfolders. A server that does not support delimiters lists them too.
    const name = key.slice(prefix.length);
    if (!key.startsWith(prefix) || name.includes('/')) continue;
    const size = Number(sizes[index]);
    // Refuses invalid sizes, because sizes count against the storage limit.
    if (!Number.isSafeInteger(size) || size < 0) fail(bucket, 'its listing has a file without a size');
    const writtenAt = Date.parse(times[index] ?? '');
    files.push({ name: copyOf(name), size, ...(Number.isNaN(writtenAt) ? {} : { writtenAt }) });
  }
  return files;
};

/** Lists all files, page by page. @throws CochleaError `retained_store_failed` */
export const listBucket = async (bucket: Bucket): Promise<StoredFile[]> => {
  const { prefix, timeout } = bucket;
  const files: StoredFile[] = [];
  let from = '';
  let pages = 0;
  const latest = performance.now() + listingRequests * timeout;
  do {
    if (++pages > mostPages) fail(bucket, 'its listing does not end');
    if (performance.now() > latest) fail(bucket, 'its listing takes too long');
    const query = new URLSearchParams({
      'list-type': '2',
      'max-keys': String(mostNames),
      prefix,
      // Leaves out subfolders, such as the folder of images, because they may contain many more files.
      delimiter: '/',
      ...(from && { 'continuation-token': from }),
    });
    const { body } = await ask(bucket, 'GET', `?${query}`, { longest: longestPage });
    const xml = body.toString();
    files.push(...filesOf(bucket, xml));
    const next = textsOf(xml, 'NextContinuationToken')[0] ?? '';
    if (next === '' && textsOf(xml, 'IsTruncated')[0] === 'true')
      fail(bucket, 'its listing is incomplete, and does not say where it continues');
    if (next !== '' && next === from) fail(bucket, 'its listing does not end');
    from = next;
  } while (from !== '');
  return files;
};
