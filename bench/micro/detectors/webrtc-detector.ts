import { createRequire } from 'node:module';

interface Fvad {
  readonly HEAP16: Int16Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _fvad_new(): number;
  _fvad_free(detector: number): void;
  _fvad_set_mode(detector: number, mode: number): number;
  _fvad_set_sample_rate(detector: number, rate: number): number;
  _fvad_process(detector: number, frame: number, samples: number): number;
}

/** Number of samples in the longest frame of this detector: 30 ms at 16 kHz. */
export const webrtcSamples = 480;

/** The detector of WebRTC (libfvad in WebAssembly): older, cheaper and less accurate. */
export class WebrtcDetector {
  readonly #module: Fvad;
  readonly #detector: number;
  readonly #frame: number;

  private constructor(module: Fvad) {
    this.#module = module;
    this.#detector = module._fvad_new();
    this.#frame = module._malloc(webrtcSamples * 2);
    module._fvad_set_mode(this.#detector, 2);
    module._fvad_set_sample_rate(this.#detector, 16_000);
  }

  static async open(): Promise<WebrtcDetector> {
    // The package has no types.
    const { default: create } = (await import(
      createRequire(import.meta.url).resolve('@echogarden/fvad-wasm')
    )) as { default: () => Promise<Fvad> };
    return new WebrtcDetector(await create());
  }

  /** Returns whether a frame contains speech. @param frame `webrtcSamples` samples. */
  run(frame: Int16Array): boolean {
    this.#module.HEAP16.set(frame, this.#frame >> 1);
    return this.#module._fvad_process(this.#detector, this.#frame, webrtcSamples) === 1;
  }

  close(): void {
    this.#module._free(this.#frame);
    this.#module._fvad_free(this.#detector);
  }
}
