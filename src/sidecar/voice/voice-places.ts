import { UserSums } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';

/** Voice messages of one user at once. */
const mostOfUser = 2;
/** Seconds after which a client may try again: about as long as a short message takes. */
const retryAfter = 5;

/** Bounds the voice messages that a sidecar receives and transcribes at once. None waits for a place. */
export class VoicePlaces {
  readonly #most: number;
  readonly #taken = new UserSums();

  constructor(most: number) {
    this.#most = most;
  }

  /** @returns what gives the place back, to be called once. @throws CochleaError voice_full */
  enter(uid: string): () => void {
    if (this.#taken.of(uid) >= mostOfUser || this.#taken.all >= this.#most)
      throw new CochleaError('voice_full', { seconds: retryAfter });
    this.#taken.add(uid, 1);
    return () => this.#taken.add(uid, -1);
  }
}
