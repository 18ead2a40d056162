import type { VoiceState } from '../../transcript/index.js';
import type { RecognitionModel } from './recognition.js';
import { encodeVoices } from './voice-bytes.js';

/** Time in ms after which changed voices are stored again, together with words that are stored anyway. */
const storedEvery = 60_000;
/**
 * Time in ms after which voices are stored again if a voice was added or removed. The time is short, because the number
 * of a new voice is lost if the engine fails before the voices are stored.
 */
const numberedEvery = 5_000;

/** Voices of a conversation to store. */
export interface HandedVoices {
  readonly bytes: Uint8Array;
  /** Identifies the voices from which `bytes` were made. */
  readonly made: VoicesMade;
}

interface VoicesMade {
  readonly numbers: string;
  readonly windows: string;
  /** Time in ms when `bytes` were made. */
  readonly at: number;
}

const madeFrom = (state: VoiceState, at: number): VoicesMade => {
  const voices = [...state.voices].sort((one, other) => one.number - other.number);
  return {
    numbers: voices.map(({ number }) => number).join(' '),
    windows: voices.map(({ windows }) => windows).join(' '),
    at,
  };
};

/** Decides when the voices of one conversation are stored for the engine that will continue it. */
export class VoiceHandover {
  #stored: VoicesMade | undefined;

  constructor(private readonly model: RecognitionModel) {}

  /**
   * Returns the voices to store together with words; undefined if they have not changed or were stored recently.
   * @param now current time in ms.
   */
  due(state: VoiceState, now: number): HandedVoices | undefined {
    const handed = this.changed(state, now);
    if (handed === undefined || this.#stored === undefined) return handed;
    const pause = handed.made.numbers === this.#stored.numbers ? storedEvery : numberedEvery;
    return now - this.#stored.at >= pause ? handed : undefined;
  }

  /** Returns the voices to store; undefined if there are none or they have not changed since they were stored. */
  changed(state: VoiceState, now: number): HandedVoices | undefined {
    if (state.voices.length === 0) return undefined;
    const made = madeFrom(state, now);
    const { numbers, windows } = this.#stored ?? {};
    if (made.numbers === numbers && made.windows === windows) return undefined;
    return { bytes: encodeVoices(state, this.model), made };
  }

  /** Records that voices are stored. */
  stored(made: VoicesMade): void {
    this.#stored = made;
  }

  /** Records that these voices were read from the database. */
  restored(state: VoiceState): void {
    this.#stored = madeFrom(state, Number.NEGATIVE_INFINITY);
  }
}
