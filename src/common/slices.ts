import { setImmediate as nextTurn } from 'node:timers/promises';

/** Number of ms of sliced work in one turn of the event loop. The last item may exceed it. */
const slice = 3;

/**
 * Maps a long list over several turns of the event loop. The thread does other work between two slices.
 * @param map maps one item; must take only a small part of a slice. An error of `map` ends the work.
 */
export const mapInSlices = async <Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> => {
  const results: Result[] = [];
  let end = performance.now() + slice;
  for (const [index, item] of items.entries()) {
    if (performance.now() >= end) {
      await nextTurn();
      end = performance.now() + slice;
    }
    results.push(map(item, index));
  }
  return results;
};

/**
 * Runs work that yields between small steps, over several turns of the event loop. The thread does other work between
 * two slices.
 * @param steps the work. It must yield after each step, and a step must take only a small part of a slice. An error
 * of a step ends the work.
 */
export const finishInSlices = async <Result>(steps: Generator<void, Result, undefined>): Promise<Result> => {
  let end = performance.now() + slice;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + slice;
  }
};
