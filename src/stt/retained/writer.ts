import type { UtteranceRequest } from '../shared/index.js';
import type { RetainedCipher, RetainedFiles, RetainedForm } from '../storage/index.js';
import type { BucketFirst } from './bucket-first.js';
import { createRetainedEncoder } from './encoder.js';
import { recordOf } from './record.js';
import { writeUnencoded } from './unencoded.js';

/**
 * Number of files that are encoded and written at the same time. More would not be faster, because one thread
 * encodes them.
 */
const encodedAtOnce = 2;
/**
 * Number of files that are written at the same time without encoding. Several are faster, because the disk combines
 * them into one write.
 */
const unencodedAtOnce = 8;

/**
 * Number of files that are written at the same time to a bucket. Each write mostly waits for the answer of the bucket.
 */
const toBucketAtOnce = 8;

/** Encodes and encrypts retained audio and writes it to a bucket or a folder. Owned by the engine's main thread. */
export class RetainedWriter {
  readonly #encoder = createRetainedEncoder();
  #hurry: NodeJS.Timeout | undefined;
  /** Whether audio is written as PCM, because there is no more time to encode it. */
  #unencoded = false;

  /** @param cipher encrypts files. If absent, files are not encrypted. */
  constructor(
    private readonly storage: BucketFirst | RetainedFiles,
    private readonly cipher: RetainedCipher | undefined,
  ) {}

  /** Number of files to write at the same time. */
  get atOnce(): number {
    if (this.#unencoded) return unencodedAtOnce;
    return 'list' in this.storage ? encodedAtOnce : toBucketAtOnce;
  }

  /** Stops encoding `left` ms after the first call. @param then called when encoding stops. */
  hurry(left: number, then: () => void): void {
    this.#hurry ??= setTimeout(() => {
      this.#unencoded = true;
      then();
    }, left);
  }

  /**
   * Writes the file of an utterance. @returns whether it is where the settings want it: false if it is in the folder
   * because the bucket is unavailable. @throws errors of the encoder and of the file system.
   */
  async write(key: string, request: UtteranceRequest, reason: string, at: Date): Promise<boolean> {
    const { pcm } = request;
    const record = recordOf(request, reason, at);
    const form: RetainedForm = this.#unencoded ? 'pcm' : 'opus';
    const bytes = this.#unencoded ? writeUnencoded(pcm, record) : await this.#encoder.encode({ pcm, record });
    const isStored =
      this.cipher === undefined
        ? await this.storage.write(`${key}.${form}`, bytes)
        : await this.storage.write(`${key}.${form}.aes`, this.cipher.seal(bytes, key));
    return isStored ?? true;
  }

  /** Ends the encoder thread. Call it after the last write has ended. */
  async close(): Promise<void> {
    clearTimeout(this.#hurry);
    await this.#encoder.close();
  }
}
