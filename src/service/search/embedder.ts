import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { within } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import type { Logger } from '../../log/index.js';
import { modelOptions, modelsDirectory, sentenceModel } from '../../models/index.js';
import { EmbedTurns } from './embed-turns.js';
import type { EmbedTask } from './embed-worker.js';

/** Turns texts into vectors whose cosine says how alike their meanings are. */
export interface Embedder {
  /** Numbers of a vector. */
  readonly dimensions: number;
  /**
   * The vector of each text, of length one; the caller owns them. Of a long text the beginning counts. The first call loads the
   * model; when its files are not on this machine yet, it only begins to fetch them.
   * @param uid whose request it is: users take turns
   * @returns undefined when there is no model yet, when too many texts wait, and when the embedder is closed.
   */
  embed(texts: readonly string[], uid: string): Promise<Float32Array[] | undefined>;
  /** Texts that wait or are being worked out. */
  waiting(): number;
  /** Finishes what is under way, frees the model, ends the thread. Idempotent. */
  close(): Promise<void>;
}

/** Texts of one task: the shorter it is, the sooner another request has its turn. */
const taskTexts = 8;
const tasksAtOnce = 2;
/** Ms for files to be looked at, and for their hashes if they are new. A download takes longer and goes on meanwhile. */
const presenceTimeout = 2000;
/** Ms after which files are asked for again that could not be had. */
const retryPause = 600_000;

/** An embedder without a model. */
const without: Embedder = {
  dimensions: 0,
  embed: async () => undefined,
  waiting: () => 0,
  close: async () => undefined,
};

/**
 * Makes an embedder with a thread of its own, which starts with the first text. The thread has a lower priority than the one
 * that answers requests.
 */
export const createEmbedder = (settings: Settings, log: Logger): Embedder => {
  const { sentenceModel: name } = settings;
  if (name === 'none') return without;
  const { dimensions } = sentenceModel(name);
  const modelsDir = modelsDirectory(settings);
  let pool: Piscina | undefined;
  let present: Promise<boolean> | undefined;
  let isPresent = false;
  let closed: Promise<void> | undefined;

  const thread = (): Piscina => {
    pool ??= new Piscina({
      filename: fileURLToPath(new URL('./embed-worker.js', import.meta.url)),
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
    });
    return pool;
  };

  /** In the thread, which can be ended during a download; this process would go on with it. */
  const fetchModel = async (): Promise<boolean> => {
    try {
      await thread().run({ model: name, options: modelOptions(settings) }, { name: 'fetchModel' });
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
      return thread().run({ model: name, modelsDir, texts } satisfies EmbedTask, { name: 'embedTexts' });
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
    if (!pool) return;
    // The thread must not end during a run of the model, so this waits behind the tasks that were handed over.
    if (isPresent) await pool.run(undefined, { name: 'releaseModel' }).catch(() => undefined);
    await pool.destroy();
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
