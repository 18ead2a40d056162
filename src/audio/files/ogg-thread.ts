import { UserTurns } from '../../common/index.js';
import { LazyPool } from '../../common/threads/index.js';
import { CochleaError } from '../../errors/index.js';
import type { OggAnswer, OggContent, OggTask } from './read-ogg.js';
import type { ScratchFile } from './scratch-file.js';
import type { FileCost } from './spent-time.js';

/** An Ogg file to read, with the user that it is scheduled for. */
export interface OggFile {
  readonly file: ScratchFile;
  /** Byte at which its audio begins. */
  readonly start: number;
  /** An empty file that receives the packets, each with its length before it. */
  readonly frames: ScratchFile;
  /** Most audio that the file may have, in ms. */
  readonly longest: number;
  /** Cancels the reading. */
  readonly signal: AbortSignal;
  readonly user: string;
  /** Receives the work of the thread, also for a refused file, and the duration that the file counts as. */
  readonly cost: FileCost;
}

/**
 * Reads an Ogg file. The caller closes both files.
 * @throws CochleaError audio_file_unsupported; `shutdown` when the thread ends; the reason of the signal.
 */
export type ReadOgg = (file: OggFile) => Promise<OggContent>;

/** A thread that reads Ogg files. */
export interface OggThread {
  readonly read: ReadOgg;
  /** Ends the thread. Files being read fail. Idempotent. */
  close(): Promise<void>;
}

/** Files that the thread reads at once, slice by slice. Users whose recent files took over `ordinary` ms share `long.most` places. */
const turnsBounds = { most: 8, mostOfUser: 1, long: { most: 4, ordinary: 250 } } as const;
/** Ms without a file after which the thread ends. */
const idleTimeout = 60_000;

/** Makes the thread, which starts with the first file. Users take turns. */
export const createOggThread = (): OggThread => {
  const turns = new UserTurns(turnsBounds);
  let closed = false;
  const pool = new LazyPool(new URL('./ogg-worker.js', import.meta.url), {
    name: 'readOgg',
    concurrentTasksPerWorker: turnsBounds.most,
    idleTimeout,
  });

  const inThread = async ({ file, start, frames, longest, signal, cost }: OggFile): Promise<OggContent> => {
    const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const giveUp = (): void => void Atomics.store(stop, 0, 1);
    signal.addEventListener('abort', giveUp, { once: true });
    const task: OggTask = {
      ...{ from: file.descriptor, size: file.size, start, longest },
      ...{ to: frames.descriptor, stop },
    };
    try {
      const answer = (await pool.run(task)) as OggAnswer;
      cost.work += answer.cost.work;
      cost.counted = answer.cost.counted;
      if (answer.error) throw CochleaError.fromJSON(answer.error);
      signal.throwIfAborted();
      const content = answer.content!;
      if (content.kind === 'packets') frames.hasGrown(content.bytes);
      return content;
    } catch (error) {
      throw closed ? new CochleaError('shutdown') : error;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  };

  return {
    read: (given) =>
      turns.run(given.user, given.signal, () => {
        if (closed) throw new CochleaError('shutdown');
        return inThread(given);
      }),
    close: async () => {
      closed = true;
      await pool.destroy();
    },
  };
};
