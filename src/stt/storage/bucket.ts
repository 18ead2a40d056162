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

/** Ms that a request may take, including its response and retries. */
const requestTimeout = 30_000;
/** Limits of a listing's page: bytes, and requested names. A name has at most 1,024 bytes. */
const longestPage = 8_388_608;
const mostNames = 1000;
/** Most pages of a listing. All pages together may take `listingRequests` times as long as one request. */
const mostPages = 1000;
const listingRequests = 10;
/** Retries of a request after a temporary failure of the server. */
const repetitions = 2;

/** The texts of all elements of this name in a listing. Their names and values contain no markup. */
const textsOf = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text]) => text!);

/**
 * Copies a text into its own memory. A substring shares the memory of the whole text, so a stored name would retain its
 * page of the listing.
 */
const copyOf = (text: string): string => Buffer.from(text).toString();

/** A response longer than the requested content can be. */
class TooLong extends Error {
  constructor(
    longest: number,
    /** Whether the response is the requested file rather than an error text. */
    readonly isFile: boolean,
  ) {
    super(`its answer has more than ${longest} bytes`);
  }
}

/**
 * Reads the body of a response, without decompression: the response may come from another server.
 * @throws TooLong when it has more than `longest` bytes. Reading stops at the limit, or does not begin when the
 *   declared length exceeds it.
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

/** A bucket and a folder in it. */
interface Bucket {
  readonly name: string;
  readonly address: string;
  readonly folders: readonly string[];
  /** Prefix of all file names. */
  readonly prefix: string;
  readonly client: AwsClient;
  /** Ms that a request may take. */
  readonly timeout: number;
}

const fail = ({ address }: Bucket, why: string, options?: ErrorOptions): never => {
  throw new CochleaError('retained_store_failed', { place: address, why }, options);
};

/**
 * Sends a request.
 * @param path within the bucket, with its query.
 * @param longest most bytes of the response.
 * @returns the response, also when the bucket reports that the file does not exist.
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
  // The file does not exist. A 404 without this code may come from any server on the way, so it tells nothing about the
  // file.
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
    // A server without support for delimiters also lists the files of subfolders.
    const name = key.slice(prefix.length);
    if (!key.startsWith(prefix) || name.includes('/')) continue;
    const size = Number(sizes[index]);
    // Sizes count against the storage limit, so they must be valid numbers.
    if (!Number.isSafeInteger(size) || size < 0) fail(bucket, 'its listing has a file without a size');
    files.push({ name: copyOf(name), size });
  }
  return files;
};

/** Lists the files, page by page. */
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
      // Excludes subfolders, such as the folder of images, which may contain many more files.
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
 * Retained audio in a bucket of an S3-compatible server, addressed by path: `https://HOST/BUCKET/PREFIX`. aws4fetch
 * signs the requests. Methods throw CochleaError `retained_store_failed`. Redirects are not followed, so data only goes
 * to the configured server.
 * @param timeout ms that a request may take.
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
      // The file is only written when the bucket confirms it.
      if (status === 404) fail(bucket, 'HTTP 404 NoSuchKey');
    },
    move: async (from, to) => {
      // The bucket copies the file itself, so that files too long to read can be given up, too.
      const source = { 'x-amz-copy-source': `/${bucket.name}${pathOf(bucket, from)}` };
      const { status, body } = await ask(bucket, 'PUT', pathOf(bucket, to), undefined, longestPage, source);
      if (status === 404) return;
      // A copy may fail after the status 200 was sent.
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
