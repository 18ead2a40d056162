import { CochleaError } from '../../errors/index.js';

/**
 * Maximum rate in Hz and maximum number of channels of an audio file. More would take too much work per second of
 * audio.
 */
export const audioBounds = { rate: 192_000, channels: 8 } as const;

/** Maximum number of characters that are read from one line. */
const longestLine = 1000;
/** Number of channels, by ffmpeg's name of the channel layout. */
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
/**
 * Encoders add padding at both ends of a file. So decoded audio that is up to this many ms shorter than the stated
 * duration still counts as complete.
 */
const padding = 250;

/**
 * Returns the number of channels by ffmpeg's name of the layout: `stereo`, `5.1(side)`, `3 channels`. Undefined for an
 * unknown layout, which always has more channels than permitted.
 */
const channelsOf = (layout: string): number | undefined => {
  const [name = ''] = layout.split('(');
  const counted = /^(\d+) channels/.exec(layout)?.[1];
  if (counted !== undefined) return Number(counted);
  if (/^\d{1,2}\.\d(\.\d)?$/.test(name)) return name.split('.').reduce((sum, part) => sum + Number(part), 0);
  return layouts[name.trim()];
};

const invalid = (why: string): CochleaError => new CochleaError('recording_invalid', { why });

/**
 * Checks the rate and the number of channels. @throws CochleaError recording_invalid if one is outside `audioBounds` or
 * below 1.
 */
export const checkAudioBounds = (rate: number, channels: number): void => {
  const why =
    !(rate <= audioBounds.rate) || rate < 1
      ? `a rate of ${rate} Hz`
      : !(channels <= audioBounds.channels) || channels < 1
        ? `${channels} channels`
        : null;
  if (why !== null) throw invalid(why);
};

/**
 * Patterns of ffmpeg's messages about files that it cannot decode, each with the reason for the client. The first
 * pattern that matches counts.
 */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/matches no streams/i, 'it has no audio'],
  [/moov atom not found/i, 'its index is missing, as in a recording that was cut off'],
  [
    /not on whitelist|Decoder .*not found|Unknown\/unsupported|codec frame size is not set/i,
    'its codec is not one that is read',
  ],
];
/**
 * Matches ffmpeg's messages about skipped parts of a file. Does not match messages about PCM, because PCM may end
 * within a packet.
 */
const damages =
  /\[(?!wav|w64|au)\w+[^\]]*\] Packet corrupt|partial file|CRC mismatch|Header missing|filesize and duration do not match/;
/**
 * Matches ffmpeg's messages about invalid elements of WebM and Matroska, which contain the byte offset of the element.
 * ffmpeg skips from such an element to the next valid one.
 */
const lostElements =
  /\[matroska[^\]]*\] .*?(?:at pos\.? (\d+) .*(?:invalid as first byte|exceeds max length)|File ended prematurely|Error parsing frame sizes|lement at 0x([\da-f]+) (?:ending at 0x[\da-f]+ exceeds containing|inside parent with finite size)|Invalid (?:track number|EBML|element length)|Invalid stream \d)/;

/**
 * Finds the audio streams in the text that ffmpeg prints about a file before decoding. The client receives nothing of
 * this text.
 *
 * The text may also quote metadata of the file. If metadata looks like the description of a stream, this class checks
 * one stream too many, but never misses a real one.
 */
export class DescribedAudio {
  #line = '';
  #streams = 0;
  /** Duration in ms that the file states. */
  #duration = 0;
  /** Whether the stated duration may be longer than the audio. */
  #isGuessed = false;
  /**
   * Whether ffmpeg has described all streams of the file. Descriptions printed after that are about ffmpeg's output.
   */
  #isMapped = false;
  #isDamaged = false;
  /**
   * Byte of the file at which ffmpeg began to skip elements. Undefined if ffmpeg skipped no elements, or if the byte is
   * unknown.
   */
  #lostAt: number | undefined;
  #reason = reasons.length;

  /**
   * Whether ffmpeg has described an audio stream. Every described stream is within the bounds, because `read` throws
   * otherwise.
   */
  get isKnown(): boolean {
    return this.#streams > 0;
  }

  /** The reason why the file cannot be decoded, as a text for the client. */
  get reason(): string {
    return (
      reasons[this.#reason]?.[1] ??
      (this.isKnown ? 'it cannot be decoded' : 'it has no audio that can be decoded')
    );
  }

  /**
   * Returns why audio of the file is missing; null if nothing suggests missing audio.
   * @param decoded ms of decoded audio.
   * @param hasFailed whether ffmpeg reported that it could not decode a part.
   */
  incomplete(decoded: number, hasFailed: boolean): string | null {
    const said = this.#isGuessed ? 0 : this.#duration;
    if (decoded < said - padding - said / 100) return 'it is shorter than it says: it is cut off or damaged';
    if (this.#lostAt !== undefined) return `a part of it is damaged, from byte ${this.#lostAt} on`;
    return hasFailed || this.#isDamaged ? 'a part of it is damaged' : null;
  }

  /**
   * Reads text that ffmpeg printed.
   * @param text of any length. A line may continue in the next text.
   * @throws CochleaError recording_invalid for a stream beyond the bounds. Also thrown for several audio streams,
   *   because it is unknown which stream has the speech.
   */
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
    this.#isMapped ||= line.startsWith('Stream mapping:');
    this.#isDamaged ||= damages.test(line);
    const lost = lostElements.exec(line);
    if (lost !== null) {
      this.#isDamaged = true;
      const [, decimal, hex] = lost;
      if (decimal !== undefined || hex !== undefined)
        this.#lostAt ??= decimal ? Number(decimal) : Number.parseInt(hex!, 16);
    }
    const reason = reasons.findIndex(([message]) => message.test(line));
    if (reason >= 0) this.#reason = Math.min(this.#reason, reason);
    const time = /^ {2}Duration: (\d+):(\d\d):(\d\d\.\d+)(?:, start: (\d+\.\d+))?,/.exec(line);
    if (time !== null && !this.#isMapped)
      this.#duration =
        (Number(time[1]) * 3600 + Number(time[2]) * 60 + Number(time[3]) - Number(time[4] ?? 0)) * 1000;
    // A duration that ffmpeg estimates from the first frames is unreliable. A video stream may also be longer than the
    // audio.
    if (/Estimating duration/.test(line)) this.#isGuessed = true;
    if (/^ {2}Stream #0:\d+.*: Video: /.test(line)) this.#isGuessed = true;
    if (!/^ {2}Stream #0:\d+.*: Audio: /.test(line)) return;
    const [, rate, layout = ''] = /, (\d+) Hz, ([^,]+)/.exec(line) ?? [];
    const channels = channelsOf(layout);
    checkAudioBounds(Number(rate ?? 0), channels ?? Number.POSITIVE_INFINITY);
    this.#streams++;
    if (this.#streams > 1 && !this.#isMapped) throw invalid('it has several audio tracks');
  }
}
