import { type Sql, treatmentOf } from '../client/index.js';

/** Maximum number of questions that one statement answers. */
const mostAtOnce = 200;

/**
 * Answers questions in groups. Thousands of streams may open at once, each with a question of its own. The first of these
 * calls asks for all questions that wait, so the others need no statement.
 */
export class Gathered<Question, Answer> {
  /** The questions that wait, with their answers if another call got them. */
  readonly #waiting = new Map<Question, Answer | undefined>();

  /** @param ask returns an answer for each question; undefined if it has to be asked again. */
  constructor(
    private readonly ask: (
      sql: Sql,
      questions: readonly Question[],
    ) => Promise<readonly (Answer | undefined)[]>,
  ) {}

  add(question: Question): void {
    this.#waiting.set(question, undefined);
  }

  remove(question: Question): void {
    this.#waiting.delete(question);
  }

  /** Answers an added question together with others. @returns null if it has to be asked again. */
  async run(sql: Sql, question: Question): Promise<Answer | null> {
    const known = this.#waiting.get(question);
    if (known !== undefined) return known;
    const others = [...this.#waiting].flatMap(([other, answer]) =>
      other === question || answer !== undefined ? [] : [other],
    );
    const group = [question, ...others.slice(0, mostAtOnce - 1)];
    const answers = (await this.#askAll(sql, group)) ?? (await this.ask(sql, [question]));
    for (const [place, answer] of answers.entries()) {
      const one = group[place]!;
      if (this.#waiting.has(one)) this.#waiting.set(one, answer);
    }
    return answers[0] ?? null;
  }

  /** Returns the answers; undefined if the database refuses the content of one of several questions. */
  async #askAll(sql: Sql, group: readonly Question[]): Promise<readonly (Answer | undefined)[] | undefined> {
    try {
      return await this.ask(sql, group);
    } catch (thrown) {
      if (group.length === 1 || treatmentOf(thrown) !== 'reject') throw thrown;
      return undefined;
    }
  }
}
