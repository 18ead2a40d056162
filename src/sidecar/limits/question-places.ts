import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';

/** Seconds after which a user whose questions take all places may ask again: about as long as an answer without a language model takes. */
const retryAfter = 2;

/** Bounds the questions that a sidecar answers at once. None waits: who asks too many is told when to ask again. */
export class QuestionPlaces {
  readonly #most: number;
  readonly #mostOfUser: number;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(
    most: number = fixedLimits.questions.value,
    mostOfUser: number = fixedLimits.questionsPerUser.value,
  ) {
    this.#most = most;
    this.#mostOfUser = mostOfUser;
  }

  /**
   * Answers a question in a place that is its own until then.
   * @throws CochleaError `questions_limited` for a user who has all places of a user, `questions_full`, or what `answer` throws.
   */
  async during<Answer>(uid: string, answer: () => Promise<Answer>): Promise<Answer> {
    const own = this.#taken.get(uid) ?? 0;
    if (own >= this.#mostOfUser) {
      throw new CochleaError('questions_limited', { limit: this.#mostOfUser, seconds: retryAfter });
    }
    if (this.#all >= this.#most) throw new CochleaError('questions_full');
    this.#taken.set(uid, own + 1);
    this.#all++;
    try {
      return await answer();
    } finally {
      this.#all--;
      const left = this.#taken.get(uid)! - 1;
      if (left === 0) this.#taken.delete(uid);
      else this.#taken.set(uid, left);
    }
  }
}
