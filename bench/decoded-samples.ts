import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Maximum number of bytes of the decoded samples of a file. */
const mostBytes = 2 * 16_000 * 120;

/** Returns the mono samples of an audio file at 16 kHz. Needs ffmpeg. */
export const decodedSamples = async (path: string): Promise<Int16Array> => {
  const words = ['-nostdin', '-v', 'error', '-i', path, '-f', 's16le', '-ac', '1', '-ar', '16000', '-'];
  const { stdout } = await run('ffmpeg', words, { encoding: 'buffer', maxBuffer: mostBytes });
  return Int16Array.from({ length: stdout.length >> 1 }, (_, index) => stdout.readInt16LE(2 * index));
};
