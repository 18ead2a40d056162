import { setMaxListeners } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { fixedLimits } from '../../config/limits.js';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import { UserTurns } from '../../wire/user-turns.js';
import type { ReadJson } from './read-json.js';
import { type TextRules, textRules } from './text-rules.js';
import type { RunTextTask } from './text-tasks.js';
import type { TextTask } from './text-worker.js';

/** A thread for work on texts of users: users take turns, and what takes too long ends with the thread, which starts again. */
export interface TextThread {
  readonly rules: TextRules;
  /** Reads JSON. @param bytes in UTF-8; the thread owns their memory from then on. @throws CochleaError as `rules` does. */
  readJson(bytes: Uint8Array<ArrayBuffer>, uid: string): Promise<ReadJson>;
  /** Ends the thread. What is under way is given up. Idempotent. */
  close(): Promise<void>;
}

export interface TextThreadOptions {
  readonly log: Logger;
  /** Ms that a task may take. */
  readonly timeout?: number;
  /** The module of the thread. For tests. */
  readonly filename?: string;
}

/** Ms without work after which the thread ends and gives its memory back: the tagger of words alone has 40 MB. */
const idleTimeout = 300_000;
/** MB of objects that a task may have. */
const mostMemory = 512;
/** Seconds after which a refused request may come again. */
const retryAfter = 2;

/** Makes the thread, which starts with the first task. */
export const createTextThread = ({
  log,
  timeout = fixedLimits.textTaskTime.value,
  filename = fileURLToPath(new URL('./text-worker.js', import.meta.url)),
}: TextThreadOptions): TextThread => {
  const turns = new UserTurns({ most: 1, mostOfUser: 1 });
  /** Tasks that wait or run, by user. */
  const tasks = new Map<string, number>();
  let all = 0;
  let pool: Piscina | undefined;
  const closing = new AbortController();
  // Every task that waits listens to it.
  setMaxListeners(0, closing.signal);

  const thread = (): Piscina => {
    pool ??= new Piscina({
      filename,
      name: 'runTextTask',
      minThreads: 0,
      maxThreads: 1,
      idleTimeout,
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: mostMemory },
    });
    return pool;
  };

  const count = (uid: string, change: 1 | -1): void => {
    all += change;
    const own = (tasks.get(uid) ?? 0) + change;
    if (own === 0) tasks.delete(uid);
    else tasks.set(uid, own);
  };

  /** Runs a task in the thread. */
  const inThread = async (task: TextTask, transferList: ArrayBuffer[]): Promise<unknown> => {
    const tooLong = new AbortController();
    const timer = setTimeout(() => tooLong.abort(), timeout);
    try {
      return await thread().run(task, { signal: tooLong.signal, transferList });
    } catch (error) {
      if (closing.signal.aborted) throw new CochleaError('shutdown');
      if (!tooLong.signal.aborted) throw error;
      log.warn({ task: task.name }, 'work on a text took too long and was given up');
      throw new CochleaError('text_given_up', { seconds: Math.ceil(timeout / 1000) });
    } finally {
      clearTimeout(timer);
    }
  };

  const inTurn = async (task: TextTask, uid: string, transferList: ArrayBuffer[] = []): Promise<unknown> => {
    if (closing.signal.aborted) throw new CochleaError('shutdown');
    const { textTasks, textTasksPerUser } = fixedLimits;
    if ((tasks.get(uid) ?? 0) >= textTasksPerUser.value || all >= textTasks.value) {
      throw new CochleaError('texts_full', { seconds: retryAfter });
    }
    count(uid, 1);
    try {
      await turns.begin(uid, closing.signal);
      try {
        return await inThread(task, transferList);
      } finally {
        turns.end(uid);
      }
    } finally {
      count(uid, -1);
    }
  };

  const run = ((name, input, uid) => inTurn({ name, input } as TextTask, uid)) as RunTextTask;
  return {
    rules: textRules(run),
    readJson: (bytes, uid) =>
      inTurn({ name: 'json', input: bytes }, uid, [bytes.buffer]) as Promise<ReadJson>,
    close: async () => {
      closing.abort(new CochleaError('shutdown'));
      await pool?.destroy();
    },
  };
};
