import { coreRate } from '../../audio/interface/index.js';

/** Maximum number of remembered jumps. The words of older audio have long arrived. */
const mostJumps = 512;

/** A point at which audio was skipped. The provider got the audio before and after it without the part in between. */
interface Jump {
  /** Number of samples sent before the jump. */
  readonly sent: number;
  /** Position of the first sample after the jump, on the stream's clock. */
  readonly position: number;
}

/**
 * Converts times of a provider to positions on the stream's clock. A provider only counts the audio that it received.
 * The stream's clock also counts skipped audio: silence between utterances, gaps, and audio before the connection.
 */
export class AudioTimeline {
  readonly #jumps: Jump[] = [];
  #sent = 0;

  /** Records that `samples` samples from `position` on are sent next. */
  add(position: number, samples: number): void {
    const last = this.#jumps.at(-1);
    if (last === undefined || last.position + this.#sent - last.sent !== position) {
      if (this.#jumps.length === mostJumps) this.#jumps.shift();
      this.#jumps.push({ sent: this.#sent, position });
    }
    this.#sent += samples;
  }

  /**
   * Converts the start time of words to a position on the stream's clock. The time is given in seconds of sent audio.
   * If it lies exactly at a jump, the result is the position after the jump.
   */
  startOf(seconds: number): number {
    return this.#positionOf(seconds, (jump, sample) => jump.sent <= sample);
  }

  /**
   * Converts the end time of words to a position on the stream's clock. The time is given in seconds of sent audio. If
   * it lies exactly at a jump, the result is the position before the jump.
   */
  endOf(seconds: number): number {
    return this.#positionOf(seconds, (jump, sample) => jump.sent < sample);
  }

  #positionOf(seconds: number, isBefore: (jump: Jump, sample: number) => boolean): number {
    const sample = Math.min(Math.max(0, Math.round(seconds * coreRate)), this.#sent);
    const jump = this.#jumps.findLast((candidate) => isBefore(candidate, sample)) ?? this.#jumps[0];
    return jump === undefined ? 0 : Math.max(0, jump.position + sample - jump.sent);
  }
}
