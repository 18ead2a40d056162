import { UserSums } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';

/** Seconds after which a user whose questions take all places may ask again: about as long as an answer without a language model takes. */
const retryAfter = 2;

/** Bounds the questions that a sidecar answers at once. None waits: who asks too many is told when to ask again. */
export class QuestionPlaces {
  readonly #most: number;
  readonly #mostOfUser: number;
  readonly #taken = new UserSums();

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
    if (this.#taken.of(uid) >= this.#mostOfUser) {
      throw new CochleaError('questions_limited', { limit: this.#mostOfUser, seconds: retryAfter });
    }
    if (this.#taken.all >= this.#most) throw new CochleaError('questions_full');
    this.#taken.add(uid, 1);
    try {
      return await answer();
    } finally {
      this.#taken.add(uid, -1);
    }
  }
}
