import { AwsClient } from 'aws4fetch';
import { endingBody } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import { longestStored } from './storage.js';

export type BucketSettings = Pick<
  Settings,
  'bucketUrl' | 'bucketRegion' | 'bucketAccessKey' | 'bucketSecretKey'
>;

/** Maximum time in ms for a request, including its response and retries. */
export const requestTimeout = 30_000;
/** Number of retries of a request after a temporary failure of the server. */
const repetitions = 2;

/** Returns the texts of all XML elements with this name in a page. Names and sizes of files contain no markup. */
export const textsOf = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text]) => text!);

/** Form of the codes of errors. Other texts are not logged, so that a server cannot fill the log. */
const codeForm = /^[\w.-]{1,64}$/;

/** Returns the code of an error in a page; undefined if it has none. */
export const codeOf = (page: Buffer): string | undefined => {
  const [code = ''] = textsOf(page.toString(), 'Code');
  return codeForm.test(code) ? code : undefined;
};

/** Reports a response that is longer than the requested content can be. */
export class TooLong extends Error {
  constructor(
    longest: number,
    /** True if the response is the requested file, false if it is the text of an error. */
    readonly isFile: boolean,
  ) {
    super(`its answer has more than ${longest} bytes`);
  }
}

/**
 * Reads the body of a response. `fetch` has decompressed it, so the limit `longest` applies to the decompressed bytes.
 * @throws TooLong if the body has more than `longest` bytes. Reading stops at the limit. It does not begin if the
 * declared length exceeds the limit.
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
export interface Bucket {
  readonly name: string;
  readonly address: string;
  readonly folders: readonly string[];
  /** Prefix of all file names. */
  readonly prefix: string;
  readonly client: AwsClient;
  /** Maximum time in ms for a request. */
  readonly timeout: number;
}

/**
 * Opens a bucket. @param folder a folder below the folder that the setting names; empty for the folder of the setting.
 */
export const openBucket = (settings: BucketSettings, folder: string, timeout: number): Bucket => {
  const url = new URL(settings.bucketUrl);
  const [name = '', ...folders] = [...decodeURI(url.pathname).split('/'), folder].filter(
    (part) => part !== '',
  );
  const prefix = folders.map((part) => `${part}/`).join('');
  const address = `${url.origin}/${name}`;
  const client = new AwsClient({
    accessKeyId: settings.bucketAccessKey,
    secretAccessKey: settings.bucketSecretKey,
    region: settings.bucketRegion,
    service: 's3',
    retries: repetitions,
  });
  return { name, address, folders, prefix, client, timeout };
};

/**
 * Returns the name by which the database knows a bucket's folder. It contains no host, because the address of a server
 * may change.
 */
export const placeOfBucket = ({ name, prefix }: Bucket): string => `bucket:${name}/${prefix}`;

/** Returns the path of a file within the bucket. */
export const pathOf = ({ folders }: Bucket, name: string): string =>
  `/${[...folders, name].map(encodeURIComponent).join('/')}`;

/** @throws CochleaError `retained_store_failed`, always. */
export const fail = ({ address }: Bucket, why: string, options?: ErrorOptions): never => {
  throw new CochleaError('retained_store_failed', { place: address, why }, options);
};

/** Maximum number of bytes of a response that is not a file: a list, or a confirmation. */
export const longestPage = 8_388_608;

/**
 * Checks the response to a request that stores a file or a part. A proxy may answer 200 without storing anything, but
 * only a bucket returns a tag.
 * @returns the tag.
 * @throws CochleaError `retained_store_failed` if the bucket has not confirmed the file.
 */
const confirmedTag = (bucket: Bucket, { status, headers }: BucketAnswer): string => {
  const tag = headers.get('etag') ?? '';
  return tagForm.test(tag) && status !== 404 ? tag : fail(bucket, `HTTP ${status} without the tag of a file`);
};

export interface BucketAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

export interface BucketRequest {
  readonly body?: Uint8Array<ArrayBuffer>;
  /** Maximum number of bytes of the response. */
  readonly longest?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Form of the tag that a server gives a file or a part of it. The list of parts repeats it. */
const tagForm = /^"?[\w.+/=:-]{1,200}"?$/;

/** Error codes for a requested file, or an upload in parts, that does not exist. */
const missing: ReadonlySet<string | undefined> = new Set(['NoSuchKey', 'NoSuchUpload']);

/**
 * Sends a request. Redirects are not followed, so that data is sent only to the configured server.
 * @param path path within the bucket, with its query.
 * @returns the response. Its status is 404 if the file does not exist, and 416 if the file ends before the requested
 * range.
 * @throws CochleaError `retained_store_failed`
 */
export const ask = async (
  bucket: Bucket,
  method: string,
  path: string,
  { body, longest = longestStored, headers = {} }: BucketRequest = {},
): Promise<BucketAnswer> => {
  const { client, address, timeout } = bucket;
  const signal = AbortSignal.timeout(timeout);
  let answer: BucketAnswer;
  try {
    const response = await client.fetch(`${address}${path}`, {
      method,
      signal,
      redirect: 'manual',
      headers,
      ...(body === undefined ? {} : { body }),
    });
    answer = {
      status: response.status,
      headers: response.headers,
      body: await bodyOf(response, longest, signal),
    };
  } catch (thrown) {
    return fail(bucket, reasonOf(thrown), { cause: thrown });
  }
  if (answer.status < 300) return answer;
  const code = codeOf(answer.body);
  // The bucket reports that the file does not exist. A 404 without this code may come from a proxy on the way to the
  // bucket, so it says nothing about the file.
  if (answer.status === 404 && missing.has(code)) return answer;
  if (answer.status === 416 && code === 'InvalidRange') return answer;
  const why = code === undefined ? `HTTP ${answer.status}` : `HTTP ${answer.status} ${code}`;
  return fail(bucket, why);
};

/** Stores a file, or a part of it. @returns the tag that confirms it. @throws CochleaError `retained_store_failed` */
export const put = async (bucket: Bucket, path: string, body: Uint8Array<ArrayBuffer>): Promise<string> =>
  confirmedTag(bucket, await ask(bucket, 'PUT', path, { body, longest: longestPage }));

/** Removes a file. Does nothing if it does not exist. @throws CochleaError `retained_store_failed` */
export const removeObject = async (bucket: Bucket, name: string): Promise<void> => {
  await ask(bucket, 'DELETE', pathOf(bucket, name));
};

/**
 * Checks the response to a request that makes the bucket copy a file or join parts. Both operations may fail after the
 * bucket has sent the status 200.
 * @param what the file, for the error.
 * @throws CochleaError `retained_store_failed`
 */
export const confirmMade = (bucket: Bucket, { status, body }: BucketAnswer, what: string): void => {
  if (status === 404 || textsOf(body.toString(), 'ETag').length === 0)
    fail(bucket, `HTTP ${status} ${codeOf(body) ?? `without ${what}`}`);
};
