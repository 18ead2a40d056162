import { shortPiece } from '../recording/index.js';
import {
  areSamplesKnown,
  type ByteRange,
  frameBytes,
  monoFormat,
  monoSamples,
  type WavFormat,
  type WavLayout,
  walkWav,
  wavHead,
} from '../wav/index.js';
import type { FileParts } from './decode-parts.js';
import { checkAudioBounds } from './described-audio.js';
import { framedPcm } from './framed.js';
import { walkFrames } from './mpeg-frames.js';
import { ScratchFile } from './scratch-file.js';
import { invalid, type StagedAudio, type StagingOptions, tooLong } from './staging.js';

/**
 * Format tags of WAV files that ffmpeg decodes: PCM and float with further sample widths, ADPCM, GSM, G.726, G.722, MP2
 * and MP3.
 */
const decodable: ReadonlySet<number> = new Set([
  0x01, 0x02, 0x03, 0x11, 0x31, 0x45, 0x50, 0x55, 0x64, 0x65, 0x28f,
]);
/** Format tags of MPEG audio frames: MP2 and MP3. */
const framed: ReadonlySet<number> = new Set([0x50, 0x55]);
/** Lowest rate in Hz that the core accepts. */
const least = 8000;
/** Highest rate in Hz that the core accepts. */
const most = 48_000;

const layoutOf = async (file: ScratchFile, start: number): Promise<WavLayout> => {
  const walk = walkWav(file.size, 'the file', start);
  let step = walk.next();
  while (!step.done) step = walk.next(await file.read(step.value.at, step.value.bytes));
  return step.value;
};

/** Yields the samples of a WAV file as mono of 16 bits. Each piece ends at a sample boundary. */
async function* mixed(
  file: ScratchFile,
  ranges: readonly ByteRange[],
  format: WavFormat,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = Math.ceil(shortPiece / frameBytes(format)) * frameBytes(format);
  for (const { start, end } of ranges) {
    for (let at = start; at < end; at += bytes) {
      const samples = monoSamples(await file.read(at, Math.min(bytes, end - at)), format);
      yield new Uint8Array(samples.buffer);
    }
  }
}

async function* unchanged(
  file: ScratchFile,
  ranges: readonly ByteRange[],
): AsyncGenerator<Uint8Array, void, undefined> {
  for (const { start, end } of ranges) yield* file.pieces(start, end);
}

const bytesOf = (ranges: readonly ByteRange[]): number =>
  ranges.reduce((sum, { start, end }) => sum + end - start, 0);

/**
 * Copies the samples into a new WAV file with a correct head, because ffmpeg relies on the head. Samples that
 * `monoSamples` can read become mono of 16 bits. The caller closes the copy.
 */
const rewritten = async (
  file: ScratchFile,
  { formatChunk, ranges, format }: WavLayout,
  folder: string,
): Promise<ScratchFile> => {
  const bytes = bytesOf(ranges);
  const isKnown = areSamplesKnown(format);
  const head = isKnown
    ? wavHead(monoFormat(format.rate), (bytes / frameBytes(format)) * 2)
    : wavHead(formatChunk, bytes);
  const samples = isKnown ? mixed(file, ranges, format) : unchanged(file, ranges);
  const copy = await ScratchFile.create(folder);
  try {
    await copy.append(head);
    for await (const piece of samples) await copy.append(piece);
    return copy;
  } catch (error) {
    await copy.close();
    throw error;
  }
};

/**
 * Stages the samples of a WAV file. If the core does not accept the format or the rate, returns the parts for ffmpeg to
 * decode.
 * @param start byte at which the WAV file begins.
 * @throws CochleaError audio_file_unsupported, recording_invalid, recording_too_long
 */
export const stageWav = async (
  file: ScratchFile,
  start: number,
  { folder, longest }: Pick<StagingOptions, 'folder' | 'longest'>,
): Promise<StagedAudio | FileParts> => {
  const layout = await layoutOf(file, start);
  const { format, ranges, incomplete } = layout;
  const { rate, tag, channels, bits, isBigEndian } = format;
  checkAudioBounds(rate, channels);
  const isKnown = areSamplesKnown(format);
  if (!isKnown && !decodable.has(tag)) throw invalid(`format ${tag} with ${bits} bits`);
  if (bytesOf(ranges) === 0) throw invalid('it holds no audio');
  const duration = (bytesOf(ranges) / frameBytes(format) / rate) * 1000;
  if (isKnown && duration > longest) throw tooLong();
  if (!isKnown || rate < least || rate > most) {
    const source = await rewritten(file, layout, folder);
    const parts = [{ start: 0, end: source.size }];
    const damage = framed.has(tag)
      ? (await walkFrames(source, source.size - bytesOf(ranges))).incomplete
      : null;
    return { container: 'wav', source, parts, incomplete: incomplete ?? damage };
  }
  const isPlain = tag === 1 && bits === 16 && channels <= 2 && !isBigEndian;
  const kept = isPlain ? (channels as 1 | 2) : 1;
  return {
    format: { codec: 'pcm16', sampleRate: rate, channels: kept },
    duration,
    incomplete,
    frames: () => {
      const samples = isPlain ? unchanged(file, ranges) : mixed(file, ranges, format);
      return framedPcm(samples, rate, kept);
    },
    close: () => file.close(),
  };
};
