import { AwsClient } from 'aws4fetch';
import { endingBody } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import { longestStored, type RetainedFiles, type StoredFile } from './storage.js';

export type BucketSettings = Pick<
  Settings,
  'retainedBucket' | 'retainedRegion' | 'retainedAccessKey' | 'retainedSecretKey'
>;

/** Ms that a request may take, with its answer and its repetitions. */
const requestTimeout = 30_000;
/** Bytes of a page of a listing, and names on it, which are asked for: a name has 1,024 bytes at most. */
const longestPage = 8_388_608;
const mostNames = 1000;
/** Pages of a listing, and how many times as long as one request all of them may take. */
const mostPages = 1000;
const listingRequests = 10;
/** Repetitions of a request that the server could not serve just then. */
const repetitions = 2;

/** The texts of an element of a listing, whose names and values contain no markup. */
const textsOf = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text]) => text!);

/**
 * A text in memory of its own. What is cut out of a text shares the memory of the whole one, so that a name that is kept would keep its
 * page of the listing.
 */
const copyOf = (text: string): string => Buffer.from(text).toString();

/** An answer that is longer than what was asked for can be. */
class TooLong extends Error {
  /** It is what was asked for, and not the text of an error. */
  readonly isFile: boolean;

  constructor(longest: number, isFile: boolean) {
    super(`its answer has more than ${longest} bytes`);
    this.isFile = isFile;
  }
}

/**
 * The body of an answer, uncompressed: what answers may be another server.
 * @throws TooLong when it has more than `longest` bytes: nothing of it is received when its length says so, else no more of it.
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

/** A bucket, and the folder in it. */
interface Bucket {
  readonly name: string;
  readonly address: string;
  readonly folders: readonly string[];
  /** What the names of all files begin with. */
  readonly prefix: string;
  readonly client: AwsClient;
  /** Ms that a request may take. */
  readonly timeout: number;
}

/**
 * Makes a request.
 * @param path within the bucket, with its query.
 * @param longest bytes of the answer.
 * @returns the answer, also where the bucket says that it has no such file.
 * @throws CochleaError `retained_store_failed`
 */
const ask = async (
  { client, address, timeout }: Bucket,
  method: string,
  path: string,
  body?: Uint8Array<ArrayBuffer>,
  longest = longestStored,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: Buffer }> => {
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
    throw new CochleaError(
      'retained_store_failed',
      { place: address, why: reasonOf(thrown) },
      { cause: thrown },
    );
  }
  if (answer.status < 300) return answer;
  const [code] = textsOf(answer.body.toString(), 'Code');
  // A file that is not there. A 404 without that may come from anything between here and the bucket, and says nothing of the file.
  if (answer.status === 404 && code === 'NoSuchKey') return answer;
  const why = code === undefined ? `HTTP ${answer.status}` : `HTTP ${answer.status} ${code}`;
  throw new CochleaError('retained_store_failed', { place: address, why });
};

const pathOf = ({ folders }: Bucket, name: string): string =>
  `/${[...folders, name].map(encodeURIComponent).join('/')}`;

const fail = ({ address }: Bucket, why: string): never => {
  throw new CochleaError('retained_store_failed', { place: address, why });
};

/** The files of a page of a listing. */
const filesOf = (bucket: Bucket, xml: string): StoredFile[] => {
  const { prefix } = bucket;
  const keys = textsOf(xml, 'Key');
  if (keys.length > mostNames) fail(bucket, 'its listing has more names than were asked for');
  const sizes = textsOf(xml, 'Size');
  const files: StoredFile[] = [];
  for (const [index, key] of keys.entries()) {
    // A server that does not know of delimiters names the files of folders within it, too.
    const name = key.slice(prefix.length);
    if (!key.startsWith(prefix) || name.includes('/')) continue;
    const size = Number(sizes[index]);
    // What counts against the space has to be a number.
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
      // Folders within it, such as that of images, may have far more files; the server leaves those out.
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
 * Retained audio in a bucket of an S3-compatible server, asked by path: `https://HOST/BUCKET/PREFIX`. aws4fetch signs the
 * requests. Methods throw CochleaError `retained_store_failed`. Nothing is sent to another server than the named one: a redirect is not
 * followed.
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
        // Another attempt would receive as much again.
        const why = `it has more than ${longestStored} bytes`;
        throw new CochleaError('retained_audio_unreadable', { path: name, why }, { cause: thrown });
      }
    },
    write: async (name, bytes) => {
      const { status } = await ask(bucket, 'PUT', pathOf(bucket, name), new Uint8Array(bytes));
      // Written is what the bucket says is written.
      if (status === 404) fail(bucket, 'HTTP 404 NoSuchKey');
    },
    move: async (from, to) => {
      // The bucket copies it, so that what is too long to be read can be given up as well.
      const source = { 'x-amz-copy-source': `/${bucket.name}${pathOf(bucket, from)}` };
      const { status, body } = await ask(bucket, 'PUT', pathOf(bucket, to), undefined, longestPage, source);
      if (status === 404) return;
      // Copying may fail after it was answered with 200.
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
