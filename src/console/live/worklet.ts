/** Runs on the audio thread of the browser: changes the rate of the microphone to 16 kHz, and sends pieces of 40 ms to the page. */
import { Resampler, toPcm16 } from '../audio/index.js';

declare const sampleRate: number;
declare const registerProcessor: (name: string, processor: unknown) => void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

const pieceSamples = 640;

class Microphone extends AudioWorkletProcessor {
  readonly #resampler = new Resampler(sampleRate, 16_000);
  #piece = new Int16Array(pieceSamples);
  #filled = 0;

  process([input]: readonly (readonly Float32Array[])[]): boolean {
    const [first, ...others] = input ?? [];
    if (first === undefined) return true;
    const mixed =
      others.length === 0
        ? first
        : first.map(
            (sample, at) => others.reduce((sum, channel) => sum + channel[at]!, sample) / input!.length,
          );
    for (const sample of toPcm16(this.#resampler.push(mixed))) {
      this.#piece[this.#filled++] = sample;
      if (this.#filled < pieceSamples) continue;
      this.port.postMessage(this.#piece, [this.#piece.buffer]);
      this.#piece = new Int16Array(pieceSamples);
      this.#filled = 0;
    }
    return true;
  }
}

registerProcessor('microphone', Microphone);
