import { type OggLink, OggLinks } from '../ogg/links.js';
import { packetSamples } from '../ogg/opus-packet.js';
import { OpusReader } from '../ogg/opus-reader.js';
import { shortPieces } from '../recording/index.js';
import { decodedRate } from './container-process.js';
import type { FileParts } from './decode-parts.js';
import { joinFrames } from './framed.js';
import { ScratchFile } from './scratch-file.js';
import { type FileCost, timed } from './spent-time.js';
import type { StagedAudio, StagingOptions } from './staging.js';

const linksOf = async (
  file: ScratchFile,
  start: number,
  { longest, signal }: StagingOptions,
  cost: FileCost,
): Promise<{ readonly links: readonly OggLink[]; readonly incomplete: string | null }> => {
  const links = new OggLinks('the file', longest);
  for await (const piece of shortPieces(file.pieces(start))) {
    signal.throwIfAborted();
    timed(cost, () => links.read(piece));
  }
  return links.end();
};

/** The packets of an Ogg Opus file, which are written to another file with their lengths before them. */
const stagePackets = async (
  file: ScratchFile,
  start: number,
  { folder, longest, signal }: StagingOptions,
  cost: FileCost,
): Promise<StagedAudio> => {
  const reader = new OpusReader('the file', longest);
  const frames = await ScratchFile.create(folder);
  let duration = 0;
  const framed = (packets: readonly Uint8Array[]): Uint8Array => {
    for (const packet of packets) duration += packetSamples(packet, 1000);
    return joinFrames(packets);
  };
  try {
    for await (const piece of shortPieces(file.pieces(start))) {
      signal.throwIfAborted();
      await frames.append(timed(cost, () => framed(reader.read(piece))));
    }
    const { channels, packets, incomplete } = reader.end();
    await frames.append(framed(packets));
    cost.counted = reader.counted;
    await file.close();
    return {
      format: { codec: 'opus', sampleRate: decodedRate, channels },
      duration,
      incomplete,
      frames: () => frames.pieces(),
      close: () => frames.close(),
    };
  } catch (error) {
    await frames.close();
    throw error;
  }
};

/**
 * The packets of an Ogg file whose links are all Opus, or the links, which another program has to decode.
 * @param start byte at which it begins.
 * @throws CochleaError audio_file_unsupported; the reason of the signal.
 */
export const stageOgg = async (
  file: ScratchFile,
  start: number,
  options: StagingOptions,
  cost: FileCost,
): Promise<StagedAudio | FileParts> => {
  const { links, incomplete } = await linksOf(file, start, options, cost);
  if (links.every(({ isPlain }) => isPlain)) return stagePackets(file, start, options, cost);
  const parts = links.map((link) => ({ start: start + link.start, end: start + link.end }));
  return { container: 'ogg', parts, incomplete };
};
