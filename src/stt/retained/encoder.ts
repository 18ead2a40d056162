// Keeps the encoder's native library loaded on this thread. Otherwise the library is unloaded when the encoder
// thread ends, and the process crashes.
import '@evan/opus';
import { LazyPool } from '../../common/threads/index.js';
import type { EncoderTask } from './encoder-thread.js';

/** Time in ms after which an idle thread ends. */
const idleTimeout = 60_000;

/** Encodes retained audio on a separate thread, so that the engine's main thread only moves bytes. */
export interface RetainedEncoder {
  /** Encodes audio. @throws errors of the encoder. */
  encode(task: EncoderTask): Promise<Uint8Array>;
  /** Ends the thread. Audio that still waits is not encoded. */
  close(): Promise<void>;
}

/** Creates the encoder. The thread starts with the first audio. */
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
