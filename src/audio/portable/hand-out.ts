import type { AudioNeed } from '../../wire/index.js';
import { CoreEvent } from '../interface/index.js';
import type { Gate, GateEvent } from './gate.js';
import type { Recording } from './recording.js';

/** Gated audio continues for this many samples at 16 kHz after the end of speech. */
const hangover = 64_000;

/** Receives a piece of audio. `position` is the position of its first sample. */
export type TakePiece = (position: number, pcm: Int16Array) => void;

/**
 * Selects the audio that a stream of the portable core passes to its provider in addition to utterances. Corresponds to
 * `handOut` of native/stream/stream.h.
 */
export class HandOut {
  #need: AudioNeed = 'utterances';
  /** Position of the end of the audio that was handed out. */
  #handedOut = 0;
  /** Whether gated audio is handed out now. */
  #open = false;
  /** Position at which the hand-out of gated audio stops; -1 while speech lasts. */
  #end = -1;

  constructor(
    private readonly gate: Gate,
    private readonly recording: Recording,
    /** Length of a piece in samples. */
    private readonly chunk: number,
  ) {}

  get need(): AudioNeed {
    return this.#need;
  }

  /** Position of the end of the audio that was handed out. An utterance cannot begin before this position. */
  get handedOut(): number {
    return this.#handedOut;
  }

  choose(need: AudioNeed): void {
    if (need === this.#need) return;
    const { announced, position, retainFrom } = this.gate;
    if (this.#need === 'utterances')
      this.#handedOut = Math.max(this.#handedOut, Math.min(retainFrom, position));
    // If the gate has not announced the start of speech, it does not announce its end either.
    this.#open = need === 'gated' && announced;
    this.#end = -1;
    this.#need = need;
  }

  /** Handles the event of a start or an end of speech. */
  speech(event: GateEvent): void {
    if (this.#need !== 'gated') return;
    if (event.kind === CoreEvent.speechStart) {
      if (!this.#open) this.#handedOut = Math.max(this.#handedOut, this.gate.retainFrom);
      this.#open = true;
      this.#end = -1;
    } else {
      this.#end = Math.max(this.#handedOut, event.first + hangover);
    }
  }

  /**
   * Passes to `take` the pieces that are due.
   * @param next samples that follow the recorded samples.
   * @param last position behind the last sample of the stream. If present, a shorter last piece is handed out, too.
   */
  run(next: Int16Array, take: TakePiece, last?: number): void {
    if (this.#need === 'utterances') return;
    let end = last ?? this.gate.position - this.recording.lookahead;
    let closes = false;
    if (this.#need === 'gated') {
      if (!this.#open) return;
      closes = this.#end >= 0 && end >= this.#end;
      if (closes) end = this.#end;
    }
    while (end > this.#handedOut) {
      const length = Math.min(end - this.#handedOut, this.chunk);
      if (length < this.chunk && last === undefined && !closes) return;
      const from = this.#handedOut;
      this.#handedOut += length;
      take(from, this.recording.copy(from, from + length, next));
    }
    if (closes) this.#open = false;
  }

  /** Called when the stream is about to skip silence. Hands out the audio before the silence, but not the silence. */
  skip(samples: number, take: TakePiece): void {
    if (this.#need === 'utterances' || (this.#need === 'gated' && !this.#open)) return;
    const { position } = this.gate;
    this.run(new Int16Array(0), take, position);
    this.#handedOut = Math.max(this.#handedOut, position + samples);
  }

  /** Position of the first sample that is still needed. */
  get retainFrom(): number {
    const { position, retainFrom } = this.gate;
    const needed = Math.min(retainFrom, position);
    if (this.#need === 'utterances') return Math.max(needed, Math.min(this.#handedOut, position));
    if (this.#need === 'everything' || this.#open) return Math.min(this.#handedOut, position);
    return Math.min(Math.max(needed, this.#handedOut), position);
  }
}
