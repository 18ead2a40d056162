/** Number of wrong words, by kind of error. */
export interface Errors {
  readonly substitutions: number;
  readonly insertions: number;
  readonly deletions: number;
}

/**
 * A step of an alignment: its error, and an index in the reference. The index is that of the aligned word, or of the
 * word before an insertion.
 */
interface Step {
  readonly at: number;
  readonly error?: keyof Errors;
}

/** Aligns two lists of words with the fewest errors (Levenshtein distance over words). Returns the steps in order. */
export const aligned = (wanted: readonly string[], given: readonly string[]): Step[] => {
  const width = given.length + 1;
  const costs = new Uint16Array((wanted.length + 1) * width);
  for (let to = 0; to < width; to++) costs[to] = to;
  for (let at = 1; at <= wanted.length; at++) {
    costs[at * width] = at;
    for (let to = 1; to < width; to++) {
      const above = (at - 1) * width + to;
      const other = wanted[at - 1] === given[to - 1] ? 0 : 1;
      costs[at * width + to] = Math.min(
        costs[above - 1]! + other,
        costs[above]! + 1,
        costs[at * width + to - 1]! + 1,
      );
    }
  }
  const steps: Step[] = [];
  for (let [at, to] = [wanted.length, given.length]; at > 0 || to > 0; ) {
    const cost = costs[at * width + to]!;
    const same = at > 0 && to > 0 && wanted[at - 1] === given[to - 1];
    const diagonal = at > 0 && to > 0 ? costs[(at - 1) * width + to - 1]! + (same ? 0 : 1) : Infinity;
    if (diagonal === cost) {
      at--;
      to--;
      steps.push(same ? { at } : { at, error: 'substitutions' });
    } else if (at > 0 && costs[(at - 1) * width + to]! + 1 === cost) {
      at--;
      steps.push({ at, error: 'deletions' });
    } else {
      to--;
      steps.push({ at: Math.max(0, at - 1), error: 'insertions' });
    }
  }
  return steps.reverse();
};
