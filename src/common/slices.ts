import { setImmediate as nextTurn } from 'node:timers/promises';

/** Ms of such work in one turn of the event loop, beside its last item. */
const slice = 3;

/**
 * Maps a list that may take long, over turns of the event loop: between two slices the thread does other work.
 * @param map does one item, in a small part of a slice. What it throws ends the work.
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
 * Does work that yields between small steps, over turns of the event loop: between two slices the thread does other work.
 * @param steps each takes a small part of a slice. What one throws ends the work.
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
