import { coreRate } from '../../audio/interface/index.js';

/** Jumps that are remembered; words are told long before so many pauses have followed. */
const mostJumps = 512;

interface Jump {
  /** Samples sent before it. */
  readonly sent: number;
  /** Position on the stream's clock of the sample sent after it. */
  readonly position: number;
}

/**
 * Ties the time of a provider, which counts the audio that it was sent, to the clock of the stream, which also counts what was
 * not sent: silence between gated pieces, gaps, what came before the connection.
 */
export class AudioTimeline {
  readonly #jumps: Jump[] = [];
  #sent = 0;

  /** Samples that begin at `position` are sent next. */
  add(position: number, samples: number): void {
    const last = this.#jumps.at(-1);
    if (last === undefined || last.position + this.#sent - last.sent !== position) {
      if (this.#jumps.length === mostJumps) this.#jumps.shift();
      this.#jumps.push({ sent: this.#sent, position });
    }
    this.#sent += samples;
  }

  /** Position of a moment at which something begins, in seconds of sent audio. */
  startOf(seconds: number): number {
    return this.#positionOf(seconds, (jump, sample) => jump.sent <= sample);
  }

  /** Position of a moment at which something ends: at a jump that is what came before it. */
  endOf(seconds: number): number {
    return this.#positionOf(seconds, (jump, sample) => jump.sent < sample);
  }

  #positionOf(seconds: number, isBefore: (jump: Jump, sample: number) => boolean): number {
    const sample = Math.min(Math.max(0, Math.round(seconds * coreRate)), this.#sent);
    const jump = this.#jumps.findLast((candidate) => isBefore(candidate, sample)) ?? this.#jumps[0];
    return jump === undefined ? 0 : Math.max(0, jump.position + sample - jump.sent);
  }
}
