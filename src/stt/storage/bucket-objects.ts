import { fixedLimits } from '../../config/limits/index.js';
import { listBucket, mostNames } from './bucket-list.js';
import {
  ask,
  type Bucket,
  type BucketAnswer,
  type BucketSettings,
  confirmMade,
  fail,
  longestPage,
  openBucket,
  pathOf,
  placeOfBucket,
  put,
  removeObject,
  requestTimeout,
  textsOf,
} from './bucket-requests.js';
import type { StoredFile } from './storage.js';

/** An object that is being written. It exists in the bucket only after `finish`. */
export interface ObjectWriter {
  /** Adds bytes. Resolves when the writer can take more. It copies the bytes. */
  write(bytes: Uint8Array): Promise<void>;
  /** Completes the object. Resolves when the bucket has confirmed the complete object. */
  finish(): Promise<void>;
  /** Removes the bytes that were written. Does nothing after `finish`. Never rejects. */
  discard(): Promise<void>;
}

/**
 * Long objects in a folder of a bucket. They are written and read in parts, so that each takes a bounded amount of
 * memory. Methods throw CochleaError `retained_store_failed`.
 */
export interface BucketObjects {
  /** Name by which the database knows the folder. It does not change with the address of the server. */
  readonly place: string;
  create(name: string): ObjectWriter;
  /** Reads an object part by part. @returns null if it does not exist. */
  read(name: string): Promise<AsyncGenerator<Uint8Array, void, undefined> | null>;
  list(): Promise<StoredFile[]>;
  remove(name: string): Promise<void>;
  /**
   * Removes the bytes of objects that were begun before a time (ms) and never finished, at most 1000 objects in one
   * call.
   * @returns the number of objects.
   */
  removeUnfinished(time: number): Promise<number>;
}

/** Maximum number of characters of the id of an upload. Each request for a part repeats the id. */
const longestUploadId = 2000;
/** Pattern of the header `Content-Range`, which says which bytes of an object a response contains. */
const rangeForm = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/;

/** Size limit for responses without the content of an object, such as confirmations and lists. */
const short = { longest: longestPage } as const;

/** Splits the bytes of an object into parts, which the server joins (multipart upload). */
class PartWriter implements ObjectWriter {
  readonly #path: string;
  #part: Buffer<ArrayBuffer> | undefined;
  #filled = 0;
  /** Id of the multipart upload; undefined before the second part, with which the upload begins. */
  #upload: string | undefined;
  readonly #tags: string[] = [];
  #ended = false;

  constructor(
    private readonly bucket: Bucket,
    name: string,
  ) {
    this.#path = pathOf(bucket, name);
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      this.#part ??= Buffer.allocUnsafe(fixedLimits.objectPart.value);
      const taken = bytes.subarray(at, at + this.#part.length - this.#filled);
      this.#part.set(taken, this.#filled);
      this.#filled += taken.length;
      at += taken.length;
      // Sends a full part only when a further byte follows, so that an object of one part is sent in one request.
      if (this.#filled === this.#part.length && at < bytes.length) await this.#sendPart();
    }
  }

  async finish(): Promise<void> {
    if (this.#upload === undefined) {
      await put(this.bucket, this.#path, this.#taken());
      this.#end();
      return;
    }
    if (this.#filled > 0) await this.#sendPart();
    const parts = this.#tags.map(
      (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
    );
    const body = new Uint8Array(
      Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`),
    );
    const query = new URLSearchParams({ uploadId: this.#upload });
    const answer = await ask(this.bucket, 'POST', `${this.#path}?${query}`, { body, ...short });
    confirmMade(this.bucket, answer, 'an object');
    this.#end();
  }

  async discard(): Promise<void> {
    if (this.#ended) return;
    const upload = this.#upload;
    this.#end();
    if (upload === undefined) return;
    // If the bucket is unavailable, `removeUnfinished` removes the parts later.
    await abandon(this.bucket, this.#path, upload).catch(() => undefined);
  }

  #end(): void {
    this.#ended = true;
    this.#part = undefined;
    this.#filled = 0;
  }

  #taken(): Uint8Array<ArrayBuffer> {
    return this.#part?.subarray(0, this.#filled) ?? new Uint8Array();
  }

  async #sendPart(): Promise<void> {
    this.#upload ??= await this.#begin();
    const query = new URLSearchParams({ partNumber: String(this.#tags.length + 1), uploadId: this.#upload });
    this.#tags.push(await put(this.bucket, `${this.#path}?${query}`, this.#taken()));
    this.#filled = 0;
  }

  async #begin(): Promise<string> {
    const { body } = await ask(this.bucket, 'POST', `${this.#path}?uploads=`, short);
    const [id = ''] = textsOf(body.toString(), 'UploadId');
    return id !== '' && id.length <= longestUploadId ? id : fail(this.bucket, 'it begins no upload');
  }
}

const abandon = async (bucket: Bucket, path: string, upload: string): Promise<void> => {
  await ask(bucket, 'DELETE', `${path}?${new URLSearchParams({ uploadId: upload })}`);
};

/** A part of an object, and the size of the complete object in bytes. */
interface ObjectPart {
  readonly body: Buffer;
  readonly size: number;
}

/**
 * Checks that a response has the requested bytes. Without this check, a proxy that ignores or changes the range would
 * damage the object.
 * @throws CochleaError `retained_store_failed`
 */
const partOf = (bucket: Bucket, from: number, { headers, body }: BucketAnswer): ObjectPart => {
  const [first, last, size] = (rangeForm.exec(headers.get('content-range') ?? '') ?? []).slice(1).map(Number);
  const isWhole = first === from && last === from + body.length - 1;
  // Only the last part may be shorter than `objectPart`, so that the number of requests stays bounded.
  const isFull = body.length === fixedLimits.objectPart.value || from + body.length === size;
  if (size === undefined || !isWhole || !isFull) fail(bucket, 'it answers with other bytes than requested');
  return { body, size: size! };
};

/** Reads the parts of an object after its first part. */
async function* partsFrom(
  bucket: Bucket,
  path: string,
  { body: first, size }: ObjectPart,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (first.length > 0) yield first;
  for (let at = first.length; at < size; ) {
    const answer = await readPart(bucket, path, at);
    // Fails for any other status, so that the reader notices that the rest of the object is missing.
    if (answer.status !== 206) fail(bucket, `HTTP ${answer.status} instead of the next part`);
    const part = partOf(bucket, at, answer);
    if (part.size !== size) fail(bucket, 'an object changes while it is read');
    yield part.body;
    at += part.body.length;
  }
}

const readPart = (bucket: Bucket, path: string, from: number): Promise<BucketAnswer> => {
  const longest = fixedLimits.objectPart.value;
  return ask(bucket, 'GET', path, { longest, headers: { range: `bytes=${from}-${from + longest - 1}` } });
};

const readObject = async (bucket: Bucket, name: string): ReturnType<BucketObjects['read']> => {
  const path = pathOf(bucket, name);
  const answer = await readPart(bucket, path, 0);
  const { status, body } = answer;
  if (status === 404) return null;
  // The bucket refuses the first range only for an empty object, because such an object has no first byte.
  if (status === 416) return partsFrom(bucket, path, { body: Buffer.alloc(0), size: 0 });
  return partsFrom(bucket, path, status === 206 ? partOf(bucket, 0, answer) : { body, size: body.length });
};

const removeUnfinished = async (bucket: Bucket, time: number): Promise<number> => {
  const query = new URLSearchParams({
    uploads: '',
    prefix: bucket.prefix,
    'max-uploads': String(mostNames),
  });
  const { body } = await ask(bucket, 'GET', `?${query}`, short);
  let removed = 0;
  // Splits the page instead of matching pairs of tags, because a page without end tags would be searched again and again.
  for (const upload of body
    .toString()
    .split('<Upload>')
    .slice(1, 1 + mostNames)) {
    const [key] = textsOf(upload, 'Key');
    const [id = ''] = textsOf(upload, 'UploadId');
    const begun = Date.parse(textsOf(upload, 'Initiated')[0] ?? '');
    const name = key?.startsWith(bucket.prefix) ? key.slice(bucket.prefix.length) : undefined;
    const isKnown = id !== '' && id.length <= longestUploadId && begun < time;
    if (name === undefined || name.includes('/') || !isKnown) continue;
    await abandon(bucket, pathOf(bucket, name), id);
    removed++;
  }
  return removed;
};

/** Opens a folder of the bucket for long objects. @param timeout maximum time in ms for a request. */
export const bucketObjects = (
  settings: BucketSettings,
  folder: string,
  timeout = requestTimeout,
): BucketObjects => {
  const bucket = openBucket(settings, folder, timeout);
  return {
    place: placeOfBucket(bucket),
    create: (name) => new PartWriter(bucket, name),
    read: (name) => readObject(bucket, name),
    list: () => listBucket(bucket),
    remove: (name) => removeObject(bucket, name),
    removeUnfinished: (time) => removeUnfinished(bucket, time),
  };
};
