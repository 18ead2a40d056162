/**
 * Runs on the audio thread of the browser: changes the rate of the sound to 16 kHz, and sends pieces of 40 ms to the page.
 * Two channels stay separate and are interleaved.
 */
import { Resampler, toPcm16 } from '../audio/index.js';

declare const sampleRate: number;
declare const registerProcessor: (name: string, processor: unknown) => void;
declare class AudioWorkletProcessor {
  constructor(options: unknown);
  readonly port: MessagePort;
}

/** Number of samples of each channel in a piece. */
const pieceSamples = 640;

class Sound extends AudioWorkletProcessor {
  readonly #resamplers: readonly Resampler[];
  #piece: Int16Array;
  #filled = 0;

  constructor(options: { readonly processorOptions: { readonly channels: number } }) {
    super(options);
    const { channels } = options.processorOptions;
    this.#resamplers = Array.from({ length: channels }, () => new Resampler(sampleRate, 16_000));
    this.#piece = new Int16Array(pieceSamples * channels);
  }

  process([input]: readonly (readonly Float32Array[])[]): boolean {
    const length = input?.[0]?.length;
    if (input === undefined || length === undefined) return true;
    const silence = new Float32Array(length);
    const sides = this.#resamplers.map((one, side) => toPcm16(one.push(input[side] ?? silence)));
    const count = sides[0]!.length;
    for (let at = 0; at < count; at++) {
      for (const side of sides) this.#piece[this.#filled++] = side[at]!;
      if (this.#filled < this.#piece.length) continue;
      this.port.postMessage(this.#piece, [this.#piece.buffer]);
      this.#piece = new Int16Array(pieceSamples * sides.length);
      this.#filled = 0;
    }
    return true;
  }
}

registerProcessor('sound', Sound);
