import { setMaxListeners } from 'node:events';
import { UserSums, UserTurns } from '../../common/index.js';
import { LazyPool } from '../../common/threads/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import type { ReadJson } from './read-json.js';
import { type TextRules, textRules } from './text-rules.js';
import type { RunTextTask, TextTaskInput, TextTaskName } from './text-tasks.js';
import type { TextTask } from './text-worker.js';

/**
 * Threads for work on users' texts: one thread for short texts and one for long texts. In each thread, users take
 * turns. A task that takes too long is ended together with its thread, which then restarts.
 */
export interface TextThread {
  readonly rules: TextRules;
  /**
   * Parses JSON.
   * @param bytes JSON text in UTF-8. Its memory is transferred to the thread.
   * @throws CochleaError as in `rules`.
   */
  readJson(bytes: Uint8Array<ArrayBuffer>, uid: string): Promise<ReadJson>;
  /** Ends the threads and aborts running tasks. Idempotent. */
  close(): Promise<void>;
}

export interface TextThreadOptions {
  readonly log: Logger;
  /** Maximum ms of one task. */
  readonly timeout?: number;
  /** The module of the thread. For tests. */
  readonly module?: URL;
}

/** Ms without work after which a thread ends and frees its memory. The tagger alone takes 40 MB. */
const idleTimeout = 300_000;
/**
 * Maximum length of a short text: bytes of JSON, characters of other texts. The rules take some 50 ms for a text of
 * this length, which is longer than an hour of speech.
 */
const longText = 65_536;
/** Maximum MB of memory for the objects of one task. */
const mostMemory = 512;
/** MB of the heap for new objects. A larger value would only delay the removal of unused objects. */
const youngMemory = 8;
/** Seconds after which a client may repeat a refused request. */
const retryAfter = 2;

/** Creates a thread, and the object that makes users take turns in it. */
const newThread = (module: URL) => ({
  turns: new UserTurns({ most: 1, mostOfUser: 1 }),
  pool: new LazyPool(module, {
    name: 'runTextTask',
    idleTimeout,
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: mostMemory, maxYoungGenerationSizeMb: youngMemory },
  }),
});

const isLong = ({ name, input }: Pick<TextTask, 'name' | 'input'>): boolean => {
  if (name === 'json') return (input as Uint8Array).byteLength > longText;
  const given = input as TextTaskInput<Exclude<TextTaskName, 'json'>>;
  const { texts } = 'transcript' in given ? given.transcript : given;
  return texts.reduce((sum, text) => sum + text.length, 0) > longText;
};

/** Creates the threads. Each thread starts with its first task. */
export const createTextThread = ({
  log,
  timeout = fixedLimits.textTaskTime.value,
  module = new URL('./text-worker.js', import.meta.url),
}: TextThreadOptions): TextThread => {
  const threads = { short: newThread(module), long: newThread(module) } as const;
  /** Waiting and running tasks by user. */
  const tasks = new UserSums();
  const closing = new AbortController();
  // Every waiting task adds a listener, so the warning about many listeners is turned off.
  setMaxListeners(0, closing.signal);

  /** Runs a task in the given thread. */
  const inThread = async (pool: LazyPool, task: TextTask, transferList: ArrayBuffer[]): Promise<unknown> => {
    const tooLong = new AbortController();
    const timer = setTimeout(() => tooLong.abort(), timeout);
    try {
      return await pool.run(task, { signal: tooLong.signal, transferList });
    } catch (error) {
      if (closing.signal.aborted) throw new CochleaError('shutdown');
      if (!tooLong.signal.aborted) throw error;
      log.warn({ task: task.name }, 'work on a text took too long and was cancelled');
      throw new CochleaError('text_given_up', { seconds: Math.ceil(timeout / 1000) });
    } finally {
      clearTimeout(timer);
    }
  };

  const inTurn = async (
    work: Pick<TextTask, 'name' | 'input'>,
    uid: string,
    transferList: ArrayBuffer[] = [],
  ): Promise<unknown> => {
    if (closing.signal.aborted) throw new CochleaError('shutdown');
    const { textTasks, textTasksPerUser } = fixedLimits;
    if (tasks.of(uid) >= textTasksPerUser.value || tasks.all >= textTasks.value) {
      throw new CochleaError('texts_full', { seconds: retryAfter });
    }
    const long = isLong(work);
    const thread = long ? threads.long : threads.short;
    tasks.add(uid, 1);
    try {
      await thread.turns.begin(uid, closing.signal);
      try {
        return await inThread(thread.pool, { ...work, long }, transferList);
      } finally {
        thread.turns.end(uid);
      }
    } finally {
      tasks.add(uid, -1);
    }
  };

  const run = ((name, input, uid) =>
    inTurn({ name, input } as Pick<TextTask, 'name' | 'input'>, uid)) as RunTextTask;
  return {
    rules: textRules(run),
    readJson: (bytes, uid) =>
      inTurn({ name: 'json', input: bytes }, uid, [bytes.buffer]) as Promise<ReadJson>,
    close: async () => {
      closing.abort(new CochleaError('shutdown'));
      await Promise.all([threads.short, threads.long].map(({ pool }) => pool.destroy()));
    },
  };
};
