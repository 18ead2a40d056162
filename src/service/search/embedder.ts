import { within } from '../../common/index.js';
import { LazyPool } from '../../common/threads/index.js';
import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import type { Logger } from '../../log/index.js';
import { modelOptions, modelsDirectory, sentenceModel } from '../../models/index.js';
import { EmbedTurns } from './embed-turns.js';
import type { EmbedTask } from './embed-worker.js';

/** Turns texts into vectors. The cosine of two vectors measures how similar their meanings are. */
export interface Embedder {
  /** Number of values in a vector. */
  readonly dimensions: number;
  /**
   * Computes the unit vector of each text. The caller owns the vectors. A long text is cut at its end. The first call loads the model. If
   * the model's files are missing, the call only starts their download.
   * @param uid user of the request. Users take turns.
   * @returns undefined while there is no model, if too many texts wait, and after the embedder is closed.
   */
  embed(texts: readonly string[], uid: string): Promise<Float32Array[] | undefined>;
  /** Returns the number of texts that wait or are being computed. */
  waiting(): number;
  /** Finishes running work, frees the model and ends the thread. Idempotent. */
  close(): Promise<void>;
}

/** Maximum number of texts in one task. With shorter tasks, other requests get their turn sooner. */
const taskTexts = 8;
const tasksAtOnce = 2;
/**
 * Ms that a call waits while the model's files are checked, or downloaded if they are missing. A longer download
 * continues in the background.
 */
const presenceTimeout = 2000;
/** Ms before a failed download is retried. */
const retryPause = 600_000;

/** The embedder for a service without a sentence model. */
const without: Embedder = {
  dimensions: 0,
  embed: async () => undefined,
  waiting: () => 0,
  close: async () => undefined,
};

/**
 * Creates an embedder with its own thread. The thread starts with the first text. It has a lower priority than the request thread.
 */
export const createEmbedder = (settings: Settings, log: Logger): Embedder => {
  const { sentenceModel: name } = settings;
  if (name === 'none') return without;
  const { dimensions } = sentenceModel(name);
  const modelsDir = modelsDirectory(settings);
  let present: Promise<boolean> | undefined;
  let isPresent = false;
  let closed: Promise<void> | undefined;

  const thread = new LazyPool(new URL('./embed-worker.js', import.meta.url), {
    minThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
  });

  /**
   * Downloads the model in the model's thread, because ending that thread stops the download. Nothing could stop a
   * download in this thread.
   */
  const fetchModel = async (): Promise<boolean> => {
    try {
      await thread.run({ model: name, options: modelOptions(settings) }, { name: 'fetchModel' });
      isPresent = true;
    } catch (error) {
      if (!closed) log.warn({ err: error, model: name }, 'no sentence model: search finds words only');
      setTimeout(() => {
        present = undefined;
      }, retryPause).unref();
    }
    return isPresent;
  };

  const turns = new EmbedTurns({
    run: async (texts) => {
      if (closed) throw new Error('the embedder is closed');
      return thread.run({ model: name, modelsDir, texts } satisfies EmbedTask, { name: 'embedTexts' });
    },
    taskTexts,
    atOnce: tasksAtOnce,
    mostWaiting: fixedLimits.embeddedTexts.value,
    mostWaitingOfUser: fixedLimits.embeddedTextsPerUser.value,
  });

  const embed = async (texts: readonly string[], uid: string): Promise<Float32Array[] | undefined> => {
    if (closed) return undefined;
    present ??= fetchModel();
    if (!isPresent && !(await within(present, presenceTimeout, () => false))) return undefined;
    if (closed) return undefined;
    try {
      return await turns.embed(uid, texts);
    } catch (error) {
      if (!closed) log.warn({ err: error }, 'the sentence model failed');
      return undefined;
    }
  };

  const close = async (): Promise<void> => {
    // The thread must not end while the model runs, so `releaseModel` waits behind the queued tasks.
    if (isPresent) await thread.run(undefined, { name: 'releaseModel' }).catch(() => undefined);
    await thread.destroy();
  };

  return {
    dimensions,
    embed,
    waiting: () => turns.waiting,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
};
