import { type Sql, treatmentOf } from '../client/index.js';

/** Default of the maximum number of questions that are asked together. */
const usualMost = 200;

/** A question that waits for its answer. */
interface Waiting<Answer> {
  /** Undefined until a call has got the answer. */
  answer?: Answer;
  /** Resolves when the call that now asks this question has got its answers, or has failed. */
  asking?: Promise<unknown>;
}

/**
 * Answers questions in groups. Thousands of streams may open at once, each with a question of its own. The first call
 * asks for all waiting questions, so the other calls need no statement.
 */
export class Gathered<Question, Answer> {
  readonly #waiting = new Map<Question, Waiting<Answer>>();

  /**
   * @param ask returns an answer for each question; undefined if it has to be asked again.
   * @param most maximum number of questions that are asked together.
   */
  constructor(
    private readonly ask: (
      sql: Sql,
      questions: readonly Question[],
    ) => Promise<readonly (Answer | undefined)[]>,
    private readonly most = usualMost,
  ) {}

  add(question: Question): void {
    this.#waiting.set(question, {});
  }

  remove(question: Question): void {
    this.#waiting.delete(question);
  }

  /** Returns the answer that an added question already has from another call; undefined if it has none. */
  answerOf(question: Question): Answer | undefined {
    return this.#waiting.get(question)?.answer;
  }

  /**
   * Answers an added question together with others. No question is asked twice at the same time.
   * @returns null if the question has to be asked again.
   */
  async run(sql: Sql, question: Question): Promise<Answer | null> {
    // While this call waited, another call may have begun to ask the question. So the loop checks it again.
    for (let one = this.#waiting.get(question); one?.asking !== undefined; one = this.#waiting.get(question))
      await one.asking;
    const known = this.answerOf(question);
    if (known !== undefined) return known;
    const others = [...this.#waiting].flatMap(([other, { answer, asking }]) =>
      other === question || answer !== undefined || asking !== undefined ? [] : [other],
    );
    const answers = this.#askTogether(sql, [question, ...others.slice(0, this.most - 1)]);
    return (await answers)[0] ?? null;
  }

  async #askTogether(sql: Sql, group: readonly Question[]): Promise<readonly (Answer | undefined)[]> {
    const waiting = group.flatMap((question) => this.#waiting.get(question) ?? []);
    const asked = this.#askAll(sql, group).then((answers) => {
      for (const [place, question] of group.entries()) {
        const one = this.#waiting.get(question);
        const answer = answers[place];
        if (one !== undefined && answer !== undefined) one.answer = answer;
      }
      return answers;
    });
    const settled = asked.then(
      () => {},
      () => {},
    );
    for (const one of waiting) one.asking = settled;
    try {
      return await asked;
    } finally {
      for (const one of waiting) delete one.asking;
    }
  }

  /** Asks a group. If the database refuses the content of one of several questions, asks only the first. */
  async #askAll(sql: Sql, group: readonly Question[]): Promise<readonly (Answer | undefined)[]> {
    try {
      return await this.ask(sql, group);
    } catch (thrown) {
      if (group.length === 1 || treatmentOf(thrown) !== 'reject') throw thrown;
      return this.ask(sql, group.slice(0, 1));
    }
  }
}
