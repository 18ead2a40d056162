/** A run of speech on a track's clock, in samples at 16 kHz. */
interface Run {
  readonly start: number;
  readonly pcm: Int16Array;
  readonly speechStart: number;
  readonly speechEnd: number;
}

/** Times (wall clock, ms) of audio that continues the audio of an earlier stream. */
export interface ContinuedTimes {
  /** End of the stored words, which no word may precede; -Infinity if it is not known. */
  readonly end: number;
  /** Time that the stream's first sample has if the device recorded without a pause; undefined if it is not known. */
  readonly expected: number | undefined;
}

/** Speech whose words or retained audio are not stored yet. */
export interface AwaitedSpeech {
  readonly start: number;
  readonly end: number;
  readonly actions: (() => void)[];
  isSettled: boolean;
}

/**
 * Records which speech of a track still awaits its words, and passes words on in the order of their speech. All audio
 * before the first awaited speech is complete. Positions are samples at 16 kHz since the stream opened.
 */
export class TrackPositions {
  /** Speech in order: awaited speech, and settled speech whose words cannot be passed on yet. */
  readonly #speech: AwaitedSpeech[] = [];
  /** An earlier stream stored the device's audio before this position. */
  #floor = 0;
  /** The largest position that was found to be complete. */
  #complete = 0;
  #isFrozen = false;
  #isHeld = false;

  /**
   * Times at which this audio continues the audio of an earlier stream; undefined if no earlier stream has stored audio
   * of the device's clock.
   */
  continued: ContinuedTimes | undefined;

  /** Skips audio before `position`, because an earlier stream has stored its words. */
  skip(position: number): void {
    this.#floor = Math.max(this.#floor, position);
    this.#complete = Math.max(this.#complete, position);
  }

  /** Returns the part of a run that is not skipped; undefined if its speech is skipped. */
  unskipped<Speech extends Run>(run: Speech): Speech | undefined {
    const { start, pcm, speechStart, speechEnd } = run;
    const cut = this.#floor - start;
    if (cut <= 0) return run;
    if (speechEnd <= this.#floor) return undefined;
    const from = Math.max(speechStart, this.#floor);
    return { ...run, start: this.#floor, pcm: pcm.slice(cut), speechStart: from };
  }

  /** Returns the part of a piece of audio that is not skipped; undefined if it is skipped. */
  unskippedPiece(position: number, pcm: Int16Array): { position: number; pcm: Int16Array } | undefined {
    const cut = this.#floor - position;
    if (cut <= 0) return { position, pcm };
    return cut >= pcm.length ? undefined : { position: this.#floor, pcm: pcm.subarray(cut) };
  }

  /** Begins to wait for the words of speech. Call it in the order of the speech. */
  await({ start, speechEnd }: Pick<Run, 'start' | 'speechEnd'>): AwaitedSpeech {
    const speech = { start, end: speechEnd, actions: [], isSettled: false };
    this.#speech.push(speech);
    return speech;
  }

  /** Passes the words of awaited speech on when this speech and all earlier speech are settled. */
  say(action: () => void, of: AwaitedSpeech): void {
    of.actions.push(action);
  }

  /**
   * Passes words on when all speech that is awaited now is settled.
   * @param end position before which all speech is awaited or has words, including the words that `action` passes on.
   */
  sayNext(action: () => void, end: number): void {
    const pass = (): void => {
      this.#complete = Math.max(this.#complete, end);
      action();
    };
    const last = this.#speech.at(-1);
    if (last !== undefined) last.actions.push(pass);
    else if (this.#isHeld)
      this.#speech.push({ start: this.#complete, end, actions: [pass], isSettled: true });
    else if (!this.#isFrozen) pass();
  }

  /** Ends the wait: the speech has no more words, or its audio is retained durably. */
  settle(speech: AwaitedSpeech): void {
    speech.isSettled = true;
    this.#pass();
  }

  /** Holds words back until `release`. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Passes on the words that were held back, except the words of skipped audio. */
  release(): void {
    this.#isHeld = false;
    this.#pass();
  }

  #pass(): void {
    if (this.#isHeld) return;
    for (let first = this.#speech[0]; first?.isSettled && !this.#isFrozen; first = this.#speech[0]) {
      this.#speech.shift();
      this.#complete = Math.max(this.#complete, first.end);
      if (first.end <= this.#floor) continue;
      for (const action of first.actions) action();
    }
  }

  /** Passes no more words on, because the device will send again all audio after the last complete position. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /**
   * Returns the position before which all words were passed on.
   * @param bound position before which no speech is open or undetected. Awaited speech may lie before it.
   */
  complete(bound: number): number {
    if (!this.#isFrozen) {
      const first = this.#speech[0]?.start ?? Number.POSITIVE_INFINITY;
      this.#complete = Math.max(this.#complete, Math.min(first, bound));
    }
    return this.#complete;
  }
}
