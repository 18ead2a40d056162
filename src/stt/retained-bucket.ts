import { AwsClient } from 'aws4fetch';
import type { Settings } from '../config/index.js';
import { CochleaError, reasonOf } from '../errors/index.js';
import type { RetainedFiles, StoredFile } from './retained-files.js';

export type BucketSettings = Pick<
  Settings,
  'retainedBucket' | 'retainedRegion' | 'retainedAccessKey' | 'retainedSecretKey'
>;

/** Ms that a request may take. */
const requestTimeout = 30_000;
/** Repetitions of a request that the server could not serve just then. */
const repetitions = 2;

/** The texts of an element of a listing, whose names and values contain no markup. */
const textsOf = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text]) => text!);

/**
 * Retained audio in a bucket of an S3-compatible server, asked by path: `https://HOST/BUCKET/PREFIX`. aws4fetch signs the
 * requests. Methods throw CochleaError `retained_store_failed`.
 */
export const retainedBucket = (settings: BucketSettings): RetainedFiles => {
  const url = new URL(settings.retainedBucket);
  const [bucket = '', ...folders] = decodeURI(url.pathname)
    .split('/')
    .filter((part) => part !== '');
  const prefix = folders.map((folder) => `${folder}/`).join('');
  const address = `${url.origin}/${bucket}`;
  const client = new AwsClient({
    accessKeyId: settings.retainedAccessKey,
    secretAccessKey: settings.retainedSecretKey,
    region: settings.retainedRegion,
    service: 's3',
    retries: repetitions,
  });

  const ask = async (
    method: string,
    path: string,
    body?: Uint8Array<ArrayBuffer>,
  ): Promise<{ readonly status: number; readonly body: Buffer }> => {
    const signal = AbortSignal.timeout(requestTimeout);
    let answer: { readonly status: number; readonly body: Buffer };
    try {
      const response = await client.fetch(`${address}${path}`, {
        method,
        signal,
        ...(body === undefined ? {} : { body }),
      });
      answer = { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
    } catch (thrown) {
      throw new CochleaError(
        'retained_store_failed',
        { place: address, why: reasonOf(thrown) },
        { cause: thrown },
      );
    }
    if (answer.status < 300 || answer.status === 404) return answer;
    const [code] = textsOf(answer.body.toString(), 'Code');
    const why = code === undefined ? `HTTP ${answer.status}` : `HTTP ${answer.status} ${code}`;
    throw new CochleaError('retained_store_failed', { place: address, why });
  };
  const pathOf = (name: string): string => `/${[...folders, name].map(encodeURIComponent).join('/')}`;
  const missing = (): never => {
    throw new CochleaError('retained_store_failed', { place: address, why: 'HTTP 404 NoSuchBucket' });
  };

  const files: RetainedFiles = {
    place: `${address}/${prefix}`,
    list: async () => {
      const files: StoredFile[] = [];
      let from = '';
      do {
        const query = new URLSearchParams({
          'list-type': '2',
          prefix: folders.join('/'),
          ...(from && { 'continuation-token': from }),
        });
        const { status, body } = await ask('GET', `?${query}`);
        if (status === 404) missing();
        const xml = body.toString();
        const keys = textsOf(xml, 'Key');
        const sizes = textsOf(xml, 'Size');
        for (const [index, key] of keys.entries()) {
          // Others may begin like the folder.
          if (!key.startsWith(prefix)) continue;
          files.push({ name: key.slice(prefix.length), size: Number(sizes[index]) });
        }
        from = textsOf(xml, 'NextContinuationToken')[0] ?? '';
      } while (from !== '');
      return files;
    },
    read: async (name) => {
      const { status, body } = await ask('GET', pathOf(name));
      return status === 404 ? undefined : body;
    },
    write: async (name, bytes) => {
      const { status } = await ask('PUT', pathOf(name), new Uint8Array(bytes));
      if (status === 404) missing();
    },
    move: async (from, to) => {
      const bytes = await files.read(from);
      if (bytes === undefined) return;
      await files.write(to, bytes);
      await files.remove(from);
    },
    remove: async (name) => {
      await ask('DELETE', pathOf(name));
    },
  };
  return files;
};
