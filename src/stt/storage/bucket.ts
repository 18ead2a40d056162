import { AwsClient } from 'aws4fetch';
import { endingBody } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import { longestStored, type RetainedFiles, type StoredFile } from './storage.js';
import { unreadable } from './unreadable.js';

export type BucketSettings = Pick<
  Settings,
  'retainedBucket' | 'retainedRegion' | 'retainedAccessKey' | 'retainedSecretKey'
>;

/** Maximum time in ms for a request, including its response and retries. */
const requestTimeout = 30_000;
/**
 * Limits of one page of the file list: size in bytes, and number of requested names. A name has at most 1,024
 * bytes.
 */
const longestPage = 8_388_608;
const mostNames = 1000;
/**
 * Maximum number of pages of the file list. All pages together may take `listingRequests` times as long as one
 * request.
 */
const mostPages = 1000;
const listingRequests = 10;
/** Number of retries of a request after a temporary failure of the server. */
const repetitions = 2;

/** Returns the texts of all XML elements with this name in a page. Names and sizes of files contain no markup. */
const textsOf = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text]) => text!);

/**
 * Copies a text into its own memory. A substring shares the memory of the complete text, so a stored name would
 * keep its page in memory.
 */
const copyOf = (text: string): string => Buffer.from(text).toString();

/** Reports a response that is longer than the requested content can be. */
class TooLong extends Error {
  constructor(
    longest: number,
    /** Whether the response is the requested file. Otherwise it is an error text. */
    readonly isFile: boolean,
  ) {
    super(`its answer has more than ${longest} bytes`);
  }
}

/**
 * Reads the body of a response. It does not decompress, because the response may come from another server.
 * @throws TooLong if the body has more than `longest` bytes. Reading stops at the limit, and does not begin if the
 * declared length exceeds it.
 */
const bodyOf = async (response: Response, longest: number, signal: AbortSignal): Promise<Buffer> => {
  if (Number(response.headers.get('content-length')) > longest) {
    await response.body?.cancel();
    throw new TooLong(longest, response.ok);
  }
  const reader = response.body && endingBody(response.body, signal).getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) return Buffer.concat(pieces, length);
    length += value.length;
    if (length > longest) {
      await reader?.cancel();
      throw new TooLong(longest, response.ok);
    }
    pieces.push(value);
  }
};

/** A bucket, and the folder in the bucket that contains the files. */
interface Bucket {
  readonly name: string;
  readonly address: string;
  readonly folders: readonly string[];
  /** Prefix of all file names. */
  readonly prefix: string;
  readonly client: AwsClient;
  /** Maximum time in ms for a request. */
  readonly timeout: number;
}

const fail = ({ address }: Bucket, why: string, options?: ErrorOptions): never => {
  throw new CochleaError('retained_store_failed', { place: address, why }, options);
};

/**
 * Sends a request.
 * @param path path within the bucket, with its query.
 * @param longest maximum number of bytes of the response.
 * @returns the response, including a response that the file does not exist.
 * @throws CochleaError `retained_store_failed`
 */
const ask = async (
  bucket: Bucket,
  method: string,
  path: string,
  body?: Uint8Array<ArrayBuffer>,
  longest = longestStored,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: Buffer }> => {
  const { client, address, timeout } = bucket;
  const signal = AbortSignal.timeout(timeout);
  let answer: { readonly status: number; readonly body: Buffer };
  try {
    const response = await client.fetch(`${address}${path}`, {
      method,
      signal,
      redirect: 'manual',
      headers,
      ...(body === undefined ? {} : { body }),
    });
    answer = { status: response.status, body: await bodyOf(response, longest, signal) };
  } catch (thrown) {
    return fail(bucket, reasonOf(thrown), { cause: thrown });
  }
  if (answer.status < 300) return answer;
  const [code] = textsOf(answer.body.toString(), 'Code');
  // The bucket reports that the file does not exist. A 404 without this code may come from another server on the
  // way, so it says nothing about the file.
  if (answer.status === 404 && code === 'NoSuchKey') return answer;
  const why = code === undefined ? `HTTP ${answer.status}` : `HTTP ${answer.status} ${code}`;
  return fail(bucket, why);
};

const pathOf = ({ folders }: Bucket, name: string): string =>
  `/${[...folders, name].map(encodeURIComponent).join('/')}`;

/** The files in a page of a listing. */
const filesOf = (bucket: Bucket, xml: string): StoredFile[] => {
  const { prefix } = bucket;
  const keys = textsOf(xml, 'Key');
  if (keys.length > mostNames) fail(bucket, 'its listing has more names than requested');
  const sizes = textsOf(xml, 'Size');
  const files: StoredFile[] = [];
  for (const [index, key] of keys.entries()) {
    // Skips files of subfolders. A server that does not support delimiters lists them too.
    const name = key.slice(prefix.length);
    if (!key.startsWith(prefix) || name.includes('/')) continue;
    const size = Number(sizes[index]);
    // Refuses invalid sizes, because sizes count against the storage limit.
    if (!Number.isSafeInteger(size) || size < 0) fail(bucket, 'its listing has a file without a size');
    files.push({ name: copyOf(name), size });
  }
  return files;
};

/** Lists all files, page by page. */
const list = async (bucket: Bucket): Promise<StoredFile[]> => {
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
    const { body } = await ask(bucket, 'GET', `?${query}`, undefined, longestPage);
    const xml = body.toString();
    files.push(...filesOf(bucket, xml));
    const next = textsOf(xml, 'NextContinuationToken')[0] ?? '';
    if (next !== '' && next === from) fail(bucket, 'its listing does not end');
    from = next;
  } while (from !== '');
  return files;
};

const openBucket = (settings: BucketSettings, timeout: number): Bucket => {
  const url = new URL(settings.retainedBucket);
  const [name = '', ...folders] = decodeURI(url.pathname)
    .split('/')
    .filter((part) => part !== '');
  const prefix = folders.map((folder) => `${folder}/`).join('');
  const address = `${url.origin}/${name}`;
  const client = new AwsClient({
    accessKeyId: settings.retainedAccessKey,
    secretAccessKey: settings.retainedSecretKey,
    region: settings.retainedRegion,
    service: 's3',
    retries: repetitions,
  });
  return { name, address, folders, prefix, client, timeout };
};

/**
 * Returns access to retained audio in a bucket of an S3-compatible server. The bucket is addressed by path:
 * `https://HOST/BUCKET/PREFIX`. aws4fetch signs the requests. Methods throw CochleaError `retained_store_failed`.
 * Redirects are not followed, so that data is sent only to the configured server.
 * @param timeout maximum time in ms for a request.
 */
export const retainedBucket = (settings: BucketSettings, timeout = requestTimeout): RetainedFiles => {
  const bucket = openBucket(settings, timeout);
  const files: RetainedFiles = {
    place: `${bucket.address}/${bucket.prefix}`,
    list: () => list(bucket),
    read: async (name) => {
      try {
        const { status, body } = await ask(bucket, 'GET', pathOf(bucket, name));
        return status === 404 ? undefined : body;
      } catch (thrown) {
        const { cause } = thrown as Error;
        if (!(cause instanceof TooLong && cause.isFile)) throw thrown;
        // A retry would receive as many bytes again.
        return unreadable(name, `it has more than ${longestStored} bytes`, { cause: thrown });
      }
    },
    write: async (name, bytes) => {
      const { status } = await ask(bucket, 'PUT', pathOf(bucket, name), new Uint8Array(bytes));
      // Checks for a 404 too, because the file is written only if the bucket confirms it.
      if (status === 404) fail(bucket, 'HTTP 404 NoSuchKey');
    },
    move: async (from, to) => {
      // The bucket itself copies the file. So files that are too long to read can also be marked as given up.
      const source = { 'x-amz-copy-source': `/${bucket.name}${pathOf(bucket, from)}` };
      const { status, body } = await ask(bucket, 'PUT', pathOf(bucket, to), undefined, longestPage, source);
      if (status === 404) return;
      // Checks the response, because a copy may fail after the status 200 was sent.
      if (textsOf(body.toString(), 'ETag').length === 0) {
        fail(bucket, `HTTP 200 ${textsOf(body.toString(), 'Code')[0] ?? 'without a copy'}`);
      }
      await files.remove(from);
    },
    remove: async (name) => {
      await ask(bucket, 'DELETE', pathOf(bucket, name));
    },
  };
  return files;
};
