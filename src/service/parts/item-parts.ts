import type { LeftOut } from '../../store/client/index.js';
import { piece } from '../../store/pieces/index.js';
import { type JsonParts, outdated } from './json-parts.js';

/** Returns the ids of the rows, from index `from`, that fit into one piece. Returns at least one id. */
const nextOf = (rest: readonly LeftOut[], from: number): string[] => {
  let bytes = 0;
  const end = rest.findIndex((row, index) => {
    bytes += index < from ? 0 : row.bytes;
    return index > from && bytes > piece.bytes;
  });
  return rest.slice(from, end === -1 ? undefined : end).map(({ id }) => id);
};

/** Returns array items as JSON text without the brackets. */
const textOf = (items: readonly unknown[]): string => JSON.stringify(items).slice(1, -1);

/**
 * Yields an array of items in parts: first `items`, then the items whose ids are in `rest`. Reads each item of `rest`
 * when its part is requested.
 * @param read returns the items that still exist.
 */
export async function* itemParts<Item>(
  items: readonly Item[],
  rest: readonly LeftOut[],
  read: (ids: readonly string[]) => Promise<readonly Item[]>,
): JsonParts {
  yield Buffer.from(`[${textOf(items)}`);
  for (let taken = 0, begun = items.length > 0; taken < rest.length; begun = true) {
    const ids = nextOf(rest, taken);
    const found = await read(ids);
    if (found.length < ids.length) throw outdated();
    yield Buffer.from(`${begun ? ',' : ''}${textOf(found)}`);
    taken += ids.length;
  }
  yield Buffer.from(']');
}
