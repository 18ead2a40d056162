import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { UserTurns } from '../../common/index.js';
import { LazyPool, stopFlag } from '../../common/threads/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import type { Container } from '../sniff/index.js';
import type { ContainerAnswer, ContainerTask } from './container-process.js';
import { findSandbox, type Sandbox } from './sandbox.js';
import { ScratchFile } from './scratch-file.js';
import type { FileCost } from './spent-time.js';

/** A file for ffmpeg to decode, and the user who sent it. Users take turns at decoding. */
export interface UserContainer {
  readonly file: ScratchFile;
  readonly container: Container;
  /** Maximum duration of the audio, in ms. */
  readonly longest: number;
  /** Cancels the decoding. */
  readonly signal: AbortSignal;
  readonly user: string;
  /** Receives the working time of the child process, even if the file is refused. */
  readonly cost: FileCost;
}

/** The result of decoding a file. */
export interface DecodedFile {
  /** Mono PCM of 16 bits and 16 kHz. The caller closes it. */
  readonly file: ScratchFile;
  /** Why the decoded audio is incomplete; null if nothing suggests missing audio. */
  readonly incomplete: string | null;
}

/**
 * Decodes the audio of a file as mono PCM of 16 bits and 16 kHz. The caller closes both the given file and the decoded
 * file.
 * @throws CochleaError stt_provider_configuration_error if ffmpeg is not installed; recording_invalid;
 * recording_too_long.
 * @throws the reason of `signal`.
 */
export type DecodeContainer = (file: UserContainer) => Promise<DecodedFile>;

export interface ContainerDecoderOptions {
  /** Name or path of ffmpeg. */
  readonly program: string;
  /** Folder for unnamed temporary files. */
  readonly folder: string;
  /** Maximum number of child processes at once. Each user has at most one of these processes. */
  readonly atOnce: number;
  readonly log: Pick<Logger, 'warn'>;
}

/** The thread that starts child processes ends after this many ms without a file. */
const idleTimeout = 60_000;

/** Returns the path of an executable program by its name or path; null if none exists. */
export const findProgram = async (name: string): Promise<string | null> => {
  const places = name.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  for (const place of places) {
    const path = join(place, name);
    const mayRun = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (mayRun) return path;
  }
  return null;
};

/**
 * Decodes files that the audio core cannot decode, with the system's ffmpeg. Each file gets a child process, in the
 * tightest sandbox that works on this machine. Users take turns. An operator may install ffmpeg while the service runs,
 * so ffmpeg is searched before each file.
 */
export const containerDecoder = ({
  program,
  folder,
  atOnce,
  log,
}: ContainerDecoderOptions): DecodeContainer => {
  const turns = new UserTurns({ most: atOnce, mostOfUser: 1 });
  const sandboxes = new Map<string, Promise<Sandbox>>();
  const sandboxFor = (path: string): Promise<Sandbox> => {
    const known = sandboxes.get(path);
    if (known !== undefined) return known;
    const found = findSandbox(path).then((sandbox) => {
      if (sandbox.kind === 'none')
        log.warn({ program: path }, 'ffmpeg runs without a sandbox: this machine has none');
      return sandbox;
    });
    sandboxes.set(path, found);
    found.catch(() => sandboxes.delete(path));
    return found;
  };
  const pool = new LazyPool(new URL('./file-worker.js', import.meta.url), {
    name: 'decodeInChild',
    concurrentTasksPerWorker: atOnce,
    idleTimeout,
  });
  const inThread = async (
    { file, container, longest, signal }: UserContainer,
    program: string,
    sandbox: readonly string[],
  ): Promise<DecodedFile> => {
    const output = await ScratchFile.create(folder);
    const { flag: stop, release } = stopFlag(signal);
    try {
      // `signal` may have been aborted while the output file was created.
      signal.throwIfAborted();
      const from = file.descriptor;
      const task: ContainerTask = { from, container, longest, program, sandbox, to: output.descriptor, stop };
      const { decoded, error } = (await pool.run(task)) as ContainerAnswer;
      signal.throwIfAborted();
      if (error !== undefined) throw CochleaError.fromJSON(error);
      output.hasGrown(decoded!.bytes);
      return { file: output, incomplete: decoded!.incomplete };
    } catch (error) {
      await output.close();
      throw error;
    } finally {
      release();
    }
  };
  return async (given) => {
    const path = await findProgram(program);
    if (path === null) throw new CochleaError('stt_provider_configuration_error');
    const sandbox = await sandboxFor(path);
    return turns.run(given.user, given.signal, async () => {
      const began = performance.now();
      try {
        return await inThread(given, path, sandbox.words);
      } finally {
        given.cost.work += performance.now() - began;
      }
    });
  };
};
