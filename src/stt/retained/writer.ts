import type { UtteranceRequest } from '../shared/index.js';
import type { RetainedCipher, RetainedFiles, RetainedForm } from '../storage/index.js';
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

/** Where retained audio is written. */
export interface RetainedTarget {
  /** Number of files to encode and write at the same time. */
  readonly atOnce: number;
  /**
   * Writes a file durably.
   * @param toFolder whether the file may be written to the folder while the bucket is unavailable.
   * @returns whether the file is in the storage that the settings name. If false, the file is in the folder, or is not
   * stored.
   */
  write(name: string, bytes: Uint8Array, toFolder: boolean): Promise<boolean>;
}

/** Returns a target that writes only to the folder. It is used if no bucket is configured. */
export const folderTarget = (folder: RetainedFiles): RetainedTarget => ({
  atOnce: encodedAtOnce,
  write: async (name, bytes) => {
    await folder.write(name, bytes);
    return true;
  },
});

/** Encodes and encrypts retained audio and writes it to a bucket or a folder. Owned by the engine's main thread. */
export class RetainedWriter {
  readonly #encoder = createRetainedEncoder();
  #hurry: NodeJS.Timeout | undefined;
  /** Whether audio is written as PCM, because there is no more time to encode it. */
  #unencoded = false;

  /** @param cipher encrypts files. If absent, files are not encrypted. */
  constructor(
    private readonly target: RetainedTarget,
    private readonly cipher: RetainedCipher | undefined,
  ) {}

  /** Number of files to write at the same time. */
  get atOnce(): number {
    return this.#unencoded ? unencodedAtOnce : this.target.atOnce;
  }

  /** Stops encoding `left` ms after the first call, and then calls `then`. */
  hurry(left: number, then: () => void): void {
    this.#hurry ??= setTimeout(() => {
      this.#unencoded = true;
      then();
    }, left);
  }

  /**
   * Writes the file of an utterance.
   * @param toFolder see `RetainedTarget.write`.
   * @returns the result of `RetainedTarget.write`.
   * @throws errors of the encoder and of the target.
   */
  async write(
    key: string,
    request: UtteranceRequest,
    reason: string,
    at: Date,
    toFolder: boolean,
  ): Promise<boolean> {
    const { pcm } = request;
    const record = recordOf(request, reason, at);
    const form: RetainedForm = this.#unencoded ? 'pcm' : 'opus';
    const bytes = this.#unencoded ? writeUnencoded(pcm, record) : await this.#encoder.encode({ pcm, record });
    if (this.cipher === undefined) return this.target.write(`${key}.${form}`, bytes, toFolder);
    return this.target.write(`${key}.${form}.aes`, this.cipher.seal(bytes, key), toFolder);
  }

  /** Ends the encoder thread. Call it after the last write has ended. */
  async close(): Promise<void> {
    clearTimeout(this.#hurry);
    await this.#encoder.close();
  }
}
