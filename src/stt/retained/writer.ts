import type { UtteranceRequest } from '../shared/index.js';
import type { RetainedCipher, RetainedFiles, RetainedForm } from '../storage/index.js';
import { createRetainedEncoder } from './encoder.js';
import { recordOf } from './record.js';
import { writeUnencoded } from './unencoded.js';

/** Files written at the same time; more would not be faster while one thread encodes them. */
const encodedAtOnce = 2;
/** The same for audio that is not encoded: the disk puts several into one write. */
const unencodedAtOnce = 8;

/** Makes files of retained audio, encoded and encrypted, and writes them to a folder. Owned by the main thread of the engine. */
export class RetainedWriter {
  readonly #folder: RetainedFiles;
  readonly #cipher: RetainedCipher | undefined;
  readonly #encoder = createRetainedEncoder();
  #hurry: NodeJS.Timeout | undefined;
  /** There is no time to encode audio: it is written as it is. */
  #unencoded = false;

  /** @param cipher absent: files are not encrypted. */
  constructor(folder: RetainedFiles, cipher: RetainedCipher | undefined) {
    this.#folder = folder;
    this.#cipher = cipher;
  }

  /** How many files should be written at the same time. */
  get atOnce(): number {
    return this.#unencoded ? unencodedAtOnce : encodedAtOnce;
  }

  /** From `left` ms after the first call on nothing is encoded any more. @param then called at that time. */
  hurry(left: number, then: () => void): void {
    this.#hurry ??= setTimeout(() => {
      this.#unencoded = true;
      then();
    }, left);
  }

  /** @throws what the encoder throws, and the error of the file system. */
  async write(key: string, request: UtteranceRequest, reason: string, at: Date): Promise<void> {
    const { pcm } = request;
    const record = recordOf(request, reason, at);
    const form: RetainedForm = this.#unencoded ? 'pcm' : 'opus';
    const bytes = this.#unencoded ? writeUnencoded(pcm, record) : await this.#encoder.encode({ pcm, record });
    if (this.#cipher === undefined) await this.#folder.write(`${key}.${form}`, bytes);
    else await this.#folder.write(`${key}.${form}.aes`, this.#cipher.seal(bytes, key));
  }

  /** After the last write. */
  async close(): Promise<void> {
    clearTimeout(this.#hurry);
    await this.#encoder.close();
  }
}
