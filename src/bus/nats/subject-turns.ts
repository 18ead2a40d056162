/** Maximum number of engines and pages whose last chosen subject is remembered. */
const mostPlaces = 1000;

/**
 * Chooses subjects from a sorted list, at most `ofEngine` subjects of each engine. If an engine has more subjects,
 * later rounds choose its other subjects. So an engine with very many subjects delays only its own subjects.
 */
export class SubjectTurns {
  /** Last chosen subject by engine and page. */
  readonly #places = new Map<string, string>();

  /** @param ofEngine maximum number of subjects of one engine in a round. */
  constructor(private readonly ofEngine: number) {}

  /** Number of remembered places. */
  get remembered(): number {
    return this.#places.size;
  }

  /**
   * @param subjects sorted subjects of copies.
   * @param page number of the page that contains these subjects.
   * @returns the chosen subjects. `isWhole`: whether all given subjects are chosen.
   */
  choose(subjects: Iterable<string>, page: number): { readonly chosen: string[]; readonly isWhole: boolean } {
    const engines = new Map<string, { readonly first: string[]; readonly after: string[]; total: number }>();
    for (const subject of subjects) {
      const engine = subject.slice(0, subject.indexOf('.spill.'));
      const own = engines.get(engine) ?? { first: [], after: [], total: 0 };
      engines.set(engine, own);
      own.total++;
      if (own.first.length < this.ofEngine) own.first.push(subject);
      const last = this.#places.get(`${page} ${engine}`);
      if (last !== undefined && subject > last && own.after.length < this.ofEngine) own.after.push(subject);
    }
    const chosen = [...engines].flatMap(([engine, { first, after, total }]) => {
      if (total <= this.ofEngine) return first;
      const turn = [...new Set([...after, ...first])].slice(0, this.ofEngine);
      this.#remember(`${page} ${engine}`, turn.at(-1)!);
      return turn;
    });
    return { chosen, isWhole: [...engines.values()].every(({ total }) => total <= this.ofEngine) };
  }

  #remember(key: string, subject: string): void {
    this.#places.delete(key);
    this.#places.set(key, subject);
    if (this.#places.size > mostPlaces) this.#places.delete(this.#places.keys().next().value!);
  }
}
