import { UserSums } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';

/** Maximum number of concurrent voice messages of one user. */
const mostOfUser = 2;
/** Seconds after which a client may try again. A short message takes about as long. */
const retryAfter = 5;

/** Limits the voice messages that a sidecar receives and transcribes at once. Messages above a limit are refused and do not wait. */
export class VoicePlaces {
  readonly #taken = new UserSums();

  constructor(private readonly most: number) {}

  /**
   * Takes a slot for a message. @returns a function that frees the slot; call it once. @throws CochleaError voice_full
   */
  enter(uid: string): () => void {
    if (this.#taken.of(uid) >= mostOfUser || this.#taken.all >= this.most)
      throw new CochleaError('voice_full', { seconds: retryAfter });
    this.#taken.add(uid, 1);
    return () => this.#taken.add(uid, -1);
  }
}
