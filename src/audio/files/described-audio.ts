import { CochleaError } from '../../errors/index.js';

/** What audio may be, whatever form its file has: beyond that a second of it takes too much work. */
export const audioBounds = { rate: 192_000, channels: 8 } as const;

/** Characters of a line that are looked at. */
const longestLine = 1000;
/** Names of layouts that are no numbers. */
const layouts: Readonly<Record<string, number>> = {
  mono: 1,
  stereo: 2,
  downmix: 2,
  binaural: 2,
  quad: 4,
  hexagonal: 6,
  octagonal: 8,
  cube: 8,
};

/** Channels of a layout as ffmpeg names it: `stereo`, `5.1(side)`, `3 channels`; undefined for one with more than any that is taken. */
const channelsOf = (layout: string): number | undefined => {
  const [name = ''] = layout.split('(');
  const counted = /^(\d+) channels/.exec(layout)?.[1];
  if (counted !== undefined) return Number(counted);
  if (/^\d{1,2}\.\d(\.\d)?$/.test(name)) return name.split('.').reduce((sum, part) => sum + Number(part), 0);
  return layouts[name.trim()];
};

/** @throws CochleaError recording_invalid for more than a file may have. */
export const checkAudioBounds = (rate: number, channels: number): void => {
  const why =
    !(rate <= audioBounds.rate) || rate < 1
      ? `a rate of ${rate} Hz`
      : !(channels <= audioBounds.channels) || channels < 1
        ? `${channels} channels`
        : null;
  if (why !== null) throw new CochleaError('recording_invalid', { why });
};

/**
 * Looks for the streams of audio in what ffmpeg says of a file before it decodes it. Other lines may hold what the file says; such a
 * line can only add to what is checked, because the program's own comes as well.
 */
export class DescribedAudio {
  #line = '';
  #streams = 0;

  /** Whether a stream was described, and none that may not be decoded. */
  get isKnown(): boolean {
    return this.#streams > 0;
  }

  /** @param text of any length. @throws CochleaError recording_invalid for a stream with more than a file may have. */
  read(text: string): void {
    const lines = text.split('\n');
    for (const [index, line] of lines.entries()) {
      this.#line += line.slice(0, longestLine - this.#line.length);
      if (index === lines.length - 1) return;
      this.#look(this.#line);
      this.#line = '';
    }
  }

  #look(line: string): void {
    if (!/^ {2}Stream #0:\d+.*: Audio: /.test(line)) return;
    const [, rate, layout = ''] = /, (\d+) Hz, ([^,]+)/.exec(line) ?? [];
    const channels = channelsOf(layout);
    checkAudioBounds(Number(rate ?? 0), channels ?? Number.POSITIVE_INFINITY);
    this.#streams++;
  }
}
