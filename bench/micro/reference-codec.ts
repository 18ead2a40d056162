import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { buildPrograms } from '../native-programs.js';

/**
 * Builds the C program of bench/native.
 * @returns its path.
 * @throws Error naming the missing tool.
 */
export const buildReferenceCodec = async (): Promise<string> =>
  (await buildPrograms('native', ['reference-codec']))[0]!;

/** A codec library, called from plain C. Its process works on one round at a time. */
export class ReferenceDecoder {
  readonly version: string;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  /** @param path a packet file. bench/native/reference-codec.c explains the other parameters. */
  constructor(
    program: string,
    codec: 'opus' | 'lc3',
    rate: number,
    channels: number,
    streams: number,
    phase: number,
    path: string,
  ) {
    const versions = execFileSync(program, ['version'], { encoding: 'utf8' }).split('\n');
    this.version = versions.find((line) => line.startsWith(`lib${codec} `)) ?? '';
    this.#child = spawn(program, ['decode', codec, ...[rate, channels, streams, phase].map(String), path]);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /**
   * Decodes the packets `first` to `first + count - 1` of every stream.
   * @returns CPU time in ns. The program's start and its communication are not included.
   */
  async decode(first: number, count: number): Promise<number> {
    this.#child.stdin.write(`${first} ${count}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the C program ended early');
    return Number(value.split(' ')[0]);
  }

  /** Ends the program. Resolves when it has ended. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.stdin.end();
    await gone;
  }
}
