// The library of the thread's encoder, which is kept loaded here: a thread that ends with the only copy of it ends the process.
import '@evan/opus';
import { LazyPool } from '../../common/threads/index.js';
import type { EncoderTask } from './encoder-thread.js';

/** Ms after which a thread that has nothing to encode ends. */
const idleTimeout = 60_000;

/** Encodes retained audio on a thread of its own: the main thread of an engine only moves bytes. */
export interface RetainedEncoder {
  /** @throws what the encoder throws. */
  encode(task: EncoderTask): Promise<Uint8Array>;
  /** Ends the thread; what it had not encoded is not encoded any more. */
  close(): Promise<void>;
}

/** Starts no thread before the first audio. */
export const createRetainedEncoder = (): RetainedEncoder => {
  const pool = new LazyPool(new URL('./encoder-thread.js', import.meta.url), {
    idleTimeout,
    recordTiming: false,
  });
  return {
    encode: (task) => pool.run(task),
    close: () => pool.destroy(),
  };
};
