import { type Sql, treatmentOf } from '../client/index.js';

/** Default of the maximum number of questions that are asked together. */
const usualMost = 200;

/** A question that waits for its answer. */
interface Waiting<Answer> {
  /** Undefined until the answer is known. */
  answer?: Answer;
  /** Present while a call asks the database this question. Resolves when this call has succeeded or failed. */
  asking?: Promise<unknown>;
}

/**
 * Answers questions to the database in groups. Thousands of streams may open at once, and each has a question. The
 * first call of `run` asks all waiting questions with one statement, so the other calls need no statement.
 */
export class Gathered<Question, Answer> {
  readonly #waiting = new Map<Question, Waiting<Answer>>();

  /**
   * @param ask returns an answer for each question; undefined for a question that has to be asked again.
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

  /** Returns the answer to an added question, if the call for another question has already got it; else undefined. */
  answerOf(question: Question): Answer | undefined {
    return this.#waiting.get(question)?.answer;
  }

  /**
   * Answers an added question, and asks other waiting questions with the same statement. If another call is asking this
   * question, waits for that call.
   * @returns null if the question has to be asked again.
   */
  async run(sql: Sql, question: Question): Promise<Answer | null> {
    // While this call waited, a further call may have begun to ask the question. So the loop checks `asking` again.
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

  /** Asks a group of questions. If the database refuses the content of one of them, asks only the first question. */
  async #askAll(sql: Sql, group: readonly Question[]): Promise<readonly (Answer | undefined)[]> {
    try {
      return await this.ask(sql, group);
    } catch (thrown) {
      if (group.length === 1 || treatmentOf(thrown) !== 'reject') throw thrown;
      return this.ask(sql, group.slice(0, 1));
    }
  }
}
