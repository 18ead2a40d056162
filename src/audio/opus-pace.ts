import { keepAliveBytes, longestPacket, pacePackets } from '../wire/keep-alive.js';

/** Ms of a frame by the configuration number of the TOC byte. Source: RFC 6716, section 3.1. */
const frameLengths = new Float64Array(32);
/** The mode of the coder by the same number: 0 SILK, 1 hybrid, 2 CELT. */
const modes = new Uint8Array(32);
for (let config = 0; config < 32; config++) {
  modes[config] = config < 12 ? 0 : config < 16 ? 1 : 2;
  if (config < 12) frameLengths[config] = [10, 20, 40, 60][config & 3]!;
  else if (config < 16) frameLengths[config] = [10, 20][config & 1]!;
  else frameLengths[config] = [2.5, 5, 10, 20][config & 3]!;
}

/** Frames of a packet by its first two bytes. */
const framesIn = (toc: number, second: number): number => {
  const code = toc & 3;
  if (code === 0) return 1;
  return code < 3 ? 2 : second & 63;
};

/**
 * Tells packets of one or two bytes that are audio from keep-alives, in one Opus stream. An encoder with discontinuous transmission
 * (DTX) sends such packets at the stream's pace while its microphone is silent; a client that sends nothing keeps its socket alive with
 * one now and then. A small packet is audio where it comes within three packets' time of the last audio, and names the same mode
 * and frame length.
 */
export class OpusPace {
  #mode = -1;
  #frame = 0;
  /** Ms of the last packet that was audio. */
  #duration = 0;
  #last = 0;

  /**
   * Called for every packet, so it allocates nothing.
   * @param toc its first byte; any value where the packet is empty.
   * @param second its second byte; any value where it is shorter.
   * @param length bytes.
   * @param arrival ms of a monotonic clock.
   * @returns whether the packet is audio.
   */
  counts(toc: number, second: number, length: number, arrival: number): boolean {
    if (length === 0) return false;
    const config = toc >> 3;
    const mode = modes[config]!;
    const frame = frameLengths[config]!;
    if (length <= keepAliveBytes) {
      if (mode !== this.#mode || frame !== this.#frame) return false;
      if (arrival - this.#last > pacePackets * this.#duration) return false;
    }
    this.#mode = mode;
    this.#frame = frame;
    const frames = framesIn(toc, length > 1 ? second : 0);
    this.#duration = Math.min(longestPacket, Math.max(1, frames) * frame);
    this.#last = arrival;
    return true;
  }
}
