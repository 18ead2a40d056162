import { usualGate } from '../../../src/wire/gate.js';

const windowSamples = 512;
const samplesPerMs = 16;
const onset = Math.fround(usualGate.onset);
const off = Math.fround(usualGate.off);
const endSilence = usualGate.endSilence * samplesPerMs;
const minSpeech = usualGate.minSpeech * samplesPerMs;
const maxUtterance = usualGate.maxUtterance * samplesPerMs;

/** Finds the start and the end of speech with the engine's thresholds. Stores no audio. */
export class Gate {
  #position = 0;
  #open = false;
  #announced = false;
  #start = 0;
  #silence = -1;

  /**
   * Processes the speech probability of one window.
   * @returns whether speech has just reached its minimum length.
   */
  step(probability: number): boolean {
    const windowStart = this.#position;
    this.#position += windowSamples;
    if (!this.#open) {
      if (probability < onset) return false;
      this.#open = true;
      this.#announced = false;
      this.#start = windowStart;
      this.#silence = -1;
    } else if (probability >= off) {
      this.#silence = -1;
    } else if (this.#silence < 0) {
      this.#silence = windowStart;
    }
    const voiced = this.#silence < 0 ? this.#position : this.#silence;
    const announce = !this.#announced && voiced - this.#start >= minSpeech;
    if (announce) this.#announced = true;
    if (this.#silence >= 0 && this.#position - this.#silence >= endSilence) this.#open = false;
    else if (this.#position - this.#start >= maxUtterance) this.#start = this.#position;
    return announce;
  }
}
