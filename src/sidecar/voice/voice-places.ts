import { CochleaError } from '../../errors/index.js';

/** Voice messages of one user at once. */
const mostOfUser = 2;
/** Seconds after which a client may try again: about as long as a short message takes. */
const retryAfter = 5;

/** Bounds the voice messages that a sidecar receives and transcribes at once. None waits for a place. */
export class VoicePlaces {
  readonly #most: number;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** @returns what gives the place back, to be called once. @throws CochleaError voice_full */
  enter(uid: string): () => void {
    const own = this.#taken.get(uid) ?? 0;
    if (own >= mostOfUser || this.#all >= this.#most)
      throw new CochleaError('voice_full', { seconds: retryAfter });
    this.#taken.set(uid, own + 1);
    this.#all++;
    return () => {
      this.#all--;
      const left = this.#taken.get(uid)! - 1;
      if (left === 0) this.#taken.delete(uid);
      else this.#taken.set(uid, left);
    };
  }
}
