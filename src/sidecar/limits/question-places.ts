import { UserSums } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';

/** Seconds after which a user with too many questions may ask again. An answer without a language model takes about as long. */
const retryAfter = 2;

/** Limits the questions that a sidecar answers at once. Questions do not wait: above a limit they are refused with a retry time. */
export class QuestionPlaces {
  readonly #taken = new UserSums();

  constructor(
    private readonly most: number = fixedLimits.questions.value,
    private readonly mostOfUser: number = fixedLimits.questionsPerUser.value,
  ) {}

  /**
   * Answers a question. The question occupies a slot until it is answered.
   * @throws CochleaError `questions_limited` if the user has no free slot, `questions_full` if the sidecar has no free slot; errors of
   * `answer`.
   */
  async during<Answer>(uid: string, answer: () => Promise<Answer>): Promise<Answer> {
    if (this.#taken.of(uid) >= this.mostOfUser) {
      throw new CochleaError('questions_limited', { limit: this.mostOfUser, seconds: retryAfter });
    }
    if (this.#taken.all >= this.most) throw new CochleaError('questions_full');
    this.#taken.add(uid, 1);
    try {
      return await answer();
    } finally {
      this.#taken.add(uid, -1);
    }
  }
}
