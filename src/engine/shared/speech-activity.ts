import { coreRate } from '../../audio/interface/index.js';

/** Minimum ms between two messages about speech. */
const activityInterval = 250;

export interface SpeechActivityOptions {
  /** Ms of a clock that never goes back. */
  readonly now: () => number;
  /** Sends a message. @param at seconds of the stream's clock at which speech began or ended. */
  readonly tell: (speaking: boolean, at: number) => void;
}

/**
 * Tells a client when speech begins and ends. After a message, further changes wait for `activityInterval` ms. Only the
 * state after the last of these changes is then sent.
 */
export class SpeechActivity {
  #told = false;
  #toldAt = Number.NEGATIVE_INFINITY;
  #speaking = false;
  #sample = 0;

  constructor(private readonly options: SpeechActivityOptions) {}

  /**
   * Records whether the stream contains speech from `sample` on.
   * @param sample at 16 kHz, since the start of the stream.
   */
  changed(speaking: boolean, sample: number): void {
    if (speaking === this.#speaking) return;
    this.#speaking = speaking;
    this.#sample = sample;
    this.tick();
  }

  /** Tells the client about changes that had to wait. Called every tick. */
  tick(): void {
    if (this.#speaking === this.#told) return;
    const now = this.options.now();
    if (now - this.#toldAt < activityInterval) return;
    this.#told = this.#speaking;
    this.#toldAt = now;
    this.options.tell(this.#speaking, this.#sample / coreRate);
  }
}
