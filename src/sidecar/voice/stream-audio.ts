import { framedPcm } from '../../audio/files/index.js';
import { CochleaError } from '../../errors/index.js';
import type { FramedAudio } from '../../service/voice/index.js';

export interface StreamAudioOptions {
  /** The audio as it arrives. */
  readonly pieces: AsyncIterable<Uint8Array>;
  readonly rate: number;
  readonly channels: 1 | 2;
  /** Maximum length of the audio in ms. */
  readonly longest: number;
  /** Charges more seconds to the user's daily audio. @throws CochleaError rate_limited */
  charge(seconds: number): Promise<void>;
}

/** The PCM of a live voice message. Charges each second before it is decoded. The audio ends when a limit is reached. */
export class StreamAudio implements FramedAudio {
  readonly format: FramedAudio['format'];
  #refusal: CochleaError | undefined;
  #taken = 0;
  #charged = 0;

  constructor(private readonly options: StreamAudioOptions) {
    this.format = { codec: 'pcm16', sampleRate: options.rate, channels: options.channels };
  }

  /** The error that ended the audio early; undefined if all audio was accepted. */
  get refusal(): CochleaError | undefined {
    return this.#refusal;
  }

  /** Whether any audio was accepted. */
  get hasAudio(): boolean {
    return this.#taken > 0;
  }

  frames(): AsyncGenerator<Uint8Array, void, undefined> {
    const { rate, channels } = this.options;
    return framedPcm(this.#pieces(), rate, channels);
  }

  async *#pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    const { pieces, rate, channels, longest } = this.options;
    const second = 2 * channels * rate;
    const most = Math.floor((second * longest) / 1000);
    for await (const piece of pieces) {
      const taken = piece.subarray(0, most - this.#taken);
      const seconds = Math.ceil((this.#taken + taken.length) / second) - this.#charged;
      try {
        if (seconds > 0) await this.options.charge(seconds);
      } catch (error) {
        if (!(error instanceof CochleaError) || error.code !== 'rate_limited') throw error;
        this.#refusal = error;
        return;
      }
      this.#charged += seconds;
      this.#taken += taken.length;
      if (taken.length > 0) yield taken;
      if (taken.length < piece.length) {
        this.#refusal = new CochleaError('voice_stream_long', { seconds: longest / 1000 });
        return;
      }
    }
  }
}
