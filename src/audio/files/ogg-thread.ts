import { UserTurns } from '../../common/index.js';
import { LazyPool, stopFlag } from '../../common/threads/index.js';
import { CochleaError } from '../../errors/index.js';
import type { OggAnswer, OggContent, OggTask } from './read-ogg.js';
import type { ScratchFile } from './scratch-file.js';
import type { FileCost } from './spent-time.js';

/** An Ogg file to read, and the user who sent it. Users take turns at reading. */
export interface OggFile {
  readonly file: ScratchFile;
  /** Byte at which the audio begins. */
  readonly start: number;
  /** An empty file that receives the packets. The length of each packet is written before it. */
  readonly frames: ScratchFile;
  /** Maximum duration of the audio, in ms. */
  readonly longest: number;
  /** Cancels the reading. */
  readonly signal: AbortSignal;
  readonly user: string;
  /**
   * Receives the working time of the thread, even if the file is refused, and the duration that counts for the file.
   */
  readonly cost: FileCost;
}

/**
 * Reads an Ogg file. The caller closes both files.
 * @throws CochleaError audio_file_unsupported; `shutdown` when the thread ends.
 * @throws the reason of `signal`.
 */
export type ReadOgg = (file: OggFile) => Promise<OggContent>;

/** A thread that reads Ogg files. */
export interface OggThread {
  readonly read: ReadOgg;
  /** Ends the thread and fails the files in progress. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * The thread reads several files at the same time, in short slices. `most` is the maximum number of these files, and
 * `mostOfUser` the maximum for one user. All users whose recent files took over `ordinary` ms share `long.most` slots.
 */
const turnsBounds = { most: 8, mostOfUser: 1, long: { most: 4, ordinary: 250 } } as const;
/** The thread ends after this many ms without a file. */
const idleTimeout = 60_000;

/** Creates the reader of Ogg files. Its thread starts with the first file. Users take turns. */
export const createOggThread = (): OggThread => {
  const turns = new UserTurns(turnsBounds);
  let closed = false;
  const pool = new LazyPool(new URL('./file-worker.js', import.meta.url), {
    name: 'readOgg',
    concurrentTasksPerWorker: turnsBounds.most,
    idleTimeout,
  });

  const inThread = async ({ file, start, frames, longest, signal, cost }: OggFile): Promise<OggContent> => {
    const { flag: stop, release } = stopFlag(signal);
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
      release();
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
