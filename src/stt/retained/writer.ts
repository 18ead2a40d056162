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

/** Encodes and encrypts retained audio and writes it to a folder. Owned by the engine's main thread. */
export class RetainedWriter {
  readonly #encoder = createRetainedEncoder();
  #hurry: NodeJS.Timeout | undefined;
  /** Whether audio is written as PCM, because there is no more time to encode it. */
  #unencoded = false;

  /** @param cipher encrypts files. If absent, files are not encrypted. */
  constructor(
    private readonly folder: RetainedFiles,
    private readonly cipher: RetainedCipher | undefined,
  ) {}

  /** Number of files to write at the same time. */
  get atOnce(): number {
    return this.#unencoded ? unencodedAtOnce : encodedAtOnce;
  }

  /** Stops encoding `left` ms after the first call. @param then called when encoding stops. */
  hurry(left: number, then: () => void): void {
    this.#hurry ??= setTimeout(() => {
      this.#unencoded = true;
      then();
    }, left);
  }

  /** Writes the file of an utterance. @throws errors of the encoder and of the file system. */
  async write(key: string, request: UtteranceRequest, reason: string, at: Date): Promise<void> {
    const { pcm } = request;
    const record = recordOf(request, reason, at);
    const form: RetainedForm = this.#unencoded ? 'pcm' : 'opus';
    const bytes = this.#unencoded ? writeUnencoded(pcm, record) : await this.#encoder.encode({ pcm, record });
    if (this.cipher === undefined) await this.folder.write(`${key}.${form}`, bytes);
    else await this.folder.write(`${key}.${form}.aes`, this.cipher.seal(bytes, key));
  }

  /** Ends the encoder thread. Call it after the last write has ended. */
  async close(): Promise<void> {
    clearTimeout(this.#hurry);
    await this.#encoder.close();
  }
}
