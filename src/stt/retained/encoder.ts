// Keeps the encoder's native library loaded. The process would end if a thread with the only loaded copy ended.
import '@evan/opus';
import { LazyPool } from '../../common/threads/index.js';
import type { EncoderTask } from './encoder-thread.js';

/** Ms after which an idle thread ends. */
const idleTimeout = 60_000;

/** Encodes retained audio on its own thread, so that the engine's main thread only moves bytes. */
export interface RetainedEncoder {
  /** @throws errors of the encoder. */
  encode(task: EncoderTask): Promise<Uint8Array>;
  /** Ends the thread. Waiting audio is not encoded. */
  close(): Promise<void>;
}

/** Makes the encoder. The thread starts with the first audio. */
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
