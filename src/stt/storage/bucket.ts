import { listBucket } from './bucket-list.js';
import {
  ask,
  type BucketSettings,
  confirmMade,
  longestPage,
  openBucket,
  pathOf,
  placeOfBucket,
  put,
  removeObject,
  requestTimeout,
  TooLong,
} from './bucket-requests.js';
import { longestStored, type RetainedFiles } from './storage.js';
import { unreadable } from './unreadable.js';

/**
 * Returns access to short files in a bucket of an S3-compatible server. The bucket is addressed by path:
 * `https://HOST/BUCKET/PREFIX`. aws4fetch signs the requests. Methods throw CochleaError `retained_store_failed`.
 * @param folder folder below PREFIX; empty: PREFIX.
 * @param timeout maximum time in ms for a request.
 */
export const bucketFiles = (
  settings: BucketSettings,
  folder = '',
  timeout = requestTimeout,
): RetainedFiles => {
  const bucket = openBucket(settings, folder, timeout);
  const files: RetainedFiles = {
    place: placeOfBucket(bucket),
    list: () => listBucket(bucket),
    read: async (name) => {
      try {
        const { status, body } = await ask(bucket, 'GET', pathOf(bucket, name));
        return status === 404 ? undefined : body;
      } catch (thrown) {
        const { cause } = thrown as Error;
        if (!(cause instanceof TooLong && cause.isFile)) throw thrown;
        // The error must not lead to a retry, because a retry would receive as many bytes again.
        return unreadable(name, `it has more than ${longestStored} bytes`, { cause: thrown });
      }
    },
    write: async (name, bytes) => {
      await put(bucket, pathOf(bucket, name), new Uint8Array(bytes));
    },
    move: async (from, to) => {
      // The bucket itself copies the file. So files that are too long to read can also be marked as given up.
      const headers = { 'x-amz-copy-source': `/${bucket.name}${pathOf(bucket, from)}` };
      const answer = await ask(bucket, 'PUT', pathOf(bucket, to), { longest: longestPage, headers });
      if (answer.status === 404) return;
      confirmMade(bucket, answer, 'a copy');
      await files.remove(from);
    },
    remove: (name) => removeObject(bucket, name),
  };
  return files;
};
