import { packetSamples } from './opus-packet.js';

/** Number of samples per second in which the positions of an Ogg Opus file count. */
const rate = 48_000;
/** Number of samples that a decoder needs before the first sample that it plays: 80 ms. Source: RFC 7845, section 4.6. */
const preRoll = 3840;
/** Length in samples of the shortest pause that is filled with silence. Shorter pauses are rounding errors. */
const shortestGap = 960;
/** Length in samples of the longest packet. */
const longestPacket = 5760;

/** The audio packets of a page, and the page's position. */
export interface TimedPage {
  readonly packets: readonly Uint8Array[];
  /** Position of the end of the page's last packet; null if the page has no position. */
  readonly granule: number | null;
  readonly isLast: boolean;
}

const samplesOf = (packet: Uint8Array): number => packetSamples(packet, rate);

/**
 * Returns packets without audio that together last at most `samples`. A decoder continues its earlier output for such
 * packets. Source: RFC 7845, section 4.1.
 * @param like a packet of the stream. The returned packets have its coder mode and its frame length.
 */
const silence = (like: Uint8Array, samples: number): { packets: Uint8Array[]; samples: number } => {
  const toc = like[0]! & 0xfc;
  const frame = samplesOf(Uint8Array.of(toc));
  const most = Math.floor(longestPacket / frame);
  let left = Math.floor(samples / frame);
  const filled = left * frame;
  const packets: Uint8Array[] = [];
  for (; left > 0; left -= most) packets.push(Uint8Array.of(toc | 3, Math.min(left, most)));
  return { packets, samples: filled };
};

/**
 * Aligns the packets of an Opus stream with the positions of its pages. Fills pauses for which an encoder wrote no
 * packets. Omits the audio at both ends that a player does not play. Sources: RFC 7845, sections 4 and 4.1 to 4.6.
 */
export class OpusTimeline {
  /** Position of the end of the last packet; undefined before the first page with a position. */
  #position: number | undefined;
  /** Number of samples at the beginning that must still be omitted. */
  #skip: number;
  /**
   * Whether the positions of the pages agree with the durations of the packets. Some programs count positions
   * differently. In their files, the last position does not mark the end of the recording.
   */
  #isExact = true;

  /** @param preSkip number of samples at 48 kHz that a player skips. */
  constructor(preSkip: number) {
    this.#skip = Math.max(0, preSkip - preRoll);
  }

  /** Returns the duration in ms of the pause before a page. */
  pauseBefore(page: TimedPage): number {
    return (Math.max(0, this.#gapBefore(page)) * 1000) / rate;
  }

  /** Returns the packets to use for a page: its own packets, and packets that fill a pause. */
  take(page: TimedPage): Uint8Array[] {
    const { packets, granule } = page;
    if (packets.length === 0) return [];
    const gap = this.#gapBefore(page);
    const total = this.#total(packets);
    if (granule !== null) this.#position = granule;
    else if (this.#position !== undefined) this.#position += total;
    const played = this.#afterSkip(packets);
    if (!page.isLast && gap < -shortestGap) this.#isExact = false;
    if (page.isLast && this.#isExact && gap < 0 && -gap <= total) return this.#untilEnd(played, -gap);
    if (gap < shortestGap || played.length === 0) return [...played];
    const filled = silence(played[0]!, gap);
    this.#position = granule! - (gap - filled.samples);
    // Some encoders send nothing during silence. They mark the start of the pause with a packet of at most two bytes,
    // so the silence is inserted behind it.
    const at = played.findIndex(({ length }) => length <= 2) + 1;
    return [...played.slice(0, at), ...filled.packets, ...played.slice(at)];
  }

  #total(packets: readonly Uint8Array[]): number {
    return packets.reduce((sum, packet) => sum + samplesOf(packet), 0);
  }

  /**
   * Returns the number of samples by which a page begins after the end of the earlier packets. Negative if the packets
   * of the page last longer than its position permits.
   */
  #gapBefore({ packets, granule, isLast }: TimedPage): number {
    if (granule === null || packets.length === 0) return 0;
    const total = this.#total(packets);
    // A stream may begin at any position. If the stream has only one page, the position may also cut audio at the end.
    const first = granule - total;
    const before = this.#position ?? (isLast ? Math.max(0, first) : first);
    return granule - before - total;
  }

  #afterSkip(packets: readonly Uint8Array[]): readonly Uint8Array[] {
    let at = 0;
    for (; at < packets.length; at++) {
      const samples = samplesOf(packets[at]!);
      if (this.#skip < samples) break;
      this.#skip -= samples;
    }
    if (at < packets.length) this.#skip = 0;
    return packets.slice(at);
  }

  /**
   * Returns the packets of the last page, except packets behind the end of the recording.
   * @param surplus number of samples behind that end.
   */
  #untilEnd(packets: readonly Uint8Array[], surplus: number): Uint8Array[] {
    const kept = [...packets];
    let left = surplus;
    while (kept.length > 0 && samplesOf(kept.at(-1)!) <= left) left -= samplesOf(kept.pop()!);
    return kept;
  }
}
