import { LazyPool } from '../../common/threads/index.js';
import type { Settings } from '../../config/index.js';
import type { Logger } from '../../log/index.js';
import type { Keeping, PhotoSettings } from '../../photos/index.js';
import type { ImageKeeper } from './channel.js';
import type { KeepTask, RemoveTask } from './worker.js';

/** The image keeper of an engine. The main thread owns it. */
export interface ImagePool extends ImageKeeper {
  /** Waits for the running writes, then ends the thread. */
  stop(): Promise<void>;
}

/** Number of images that are written at the same time. Each write mostly waits for a disk or a bucket. */
const atOnce = 4;
/** Time in ms after which an idle thread ends. Most engines get no images. */
const idleTimeout = 30_000;

/**
 * Creates the image keeper. Its thread decodes base64, encrypts and writes, which keeps this work off the main
 * thread and the shards. The first image starts the thread.
 */
export const openImagePool = (settings: Settings, log: Logger): ImagePool => {
  const { bucketUrl, bucketRegion, bucketAccessKey, bucketSecretKey, retainedKey } = settings;
  const { retainedKeyFile, dataDir, maxImage: limit } = settings;
  const given: PhotoSettings = {
    ...{ bucketUrl, bucketRegion, bucketAccessKey, bucketSecretKey },
    ...{ retainedKey, retainedKeyFile, dataDir },
  };
  const pool = new LazyPool(new URL('./worker.js', import.meta.url), {
    concurrentTasksPerWorker: atOnce,
    idleTimeout,
  });
  let stopped = false;
  return {
    keep: async (uid, parts): Promise<Keeping> => {
      if (stopped) return { refusal: 'try_again' };
      try {
        const task: KeepTask = { settings: given, uid, parts, limit };
        const transferList = parts.map(({ buffer }) => buffer as ArrayBuffer);
        return await pool.run(task, { name: 'keepImage', transferList });
      } catch (thrown) {
        log.error({ err: thrown }, 'an image cannot be written');
        return { refusal: 'try_again' };
      }
    },
    remove: (file) => {
      if (stopped) return;
      const task: RemoveTask = { settings: given, file };
      pool
        .run(task, { name: 'removeImage' })
        .catch((thrown: unknown) => log.warn({ err: thrown }, 'the file of an image could not be removed'));
    },
    stop: async () => {
      stopped = true;
      await pool.close();
    },
  };
};
