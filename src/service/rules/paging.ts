import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { storableText } from '../../common/index.js';
import type { Listed, Page, Position } from '../../store/client/index.js';
import { itemParts, type JsonParts } from '../parts/index.js';
import { invalid } from './rules.js';

/** The page of a list that a caller requests. A cursor continues where an earlier page ended. */
export interface PageRequest {
  readonly limit: number;
  readonly offset?: number;
  readonly cursor?: string | undefined;
}

/** A page of a list. */
export interface Paged<Item> {
  readonly items: Item[];
  /** Cursor of the next page; null at the end of the list. */
  readonly next: string | null;
}

/** A page of a list. The page may be too long for one read. */
export interface PagedInParts<Item> extends Paged<Item> {
  /** All items of the page in parts, if `items` contains only the first of them; null if `items` is complete. */
  readonly parts: JsonParts | null;
}

/**
 * Maximum length of a time in a cursor. The service writes shorter times. PostgreSQL cannot read a time of 128
 * characters.
 */
const longestTime = 32;

/**
 * Schemas of the values in a cursor. A client may send any text as a cursor, so the schemas accept only values that
 * PostgreSQL can read.
 */
export const time = z.iso
  .datetime()
  .max(longestTime)
  .refine((text) => !text.startsWith('0000'));
export const plainText = z
  .string()
  .max(200)
  .refine((text) => text === storableText(text));
export const uuid = z.string().refine(isUuid);
const longestCursor = 1000;

/**
 * Creates the cursors of one list. A cursor contains the position of a row and the name of its list, in base64url. Clients do not interpret
 * it. It is not secret and not signed, because every list is restricted to its user.
 * @param name unique name of the list. A cursor of another list is refused.
 * @param shape schema of the positions.
 * @param parameter the query parameter with the cursor, for errors.
 */
export const cursorsOf = (name: string, shape: z.ZodType<Position>, parameter = 'cursor') => {
  const schema = z.tuple([z.literal(name), shape]);
  const decode = (cursor: string): Position => {
    try {
      if (cursor.length > longestCursor) throw invalid(`${parameter} is not valid`, `query.${parameter}`);
      return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))[1];
    } catch {
      throw invalid(`${parameter} is not valid`, `query.${parameter}`);
    }
  };
  /**
   * Returns the cursor that continues at a position. Returns null if the position is null, because the list has ended.
   */
  const encode = (next: Position | null): string | null =>
    next && Buffer.from(JSON.stringify([name, next])).toString('base64url');
  return {
    /**
     * Converts a page request to the rows to read.
     * @throws CochleaError `validation_failed` for a cursor that does not come from this list.
     */
    page: ({ limit, offset = 0, cursor }: PageRequest): Page => ({
      limit,
      offset,
      after: cursor === undefined ? null : decode(cursor),
    }),
    paged: <Row, Item>({ rows, next }: Listed<Row>, view: (row: Row) => Item): Paged<Item> => ({
      items: rows.map(view),
      next: encode(next),
    }),
    /**
     * Like `paged`, for a page that may be too long for one read.
     * @param read returns the items that still exist.
     */
    pagedInParts: <Row, Item>(
      { rows, next, rest }: Listed<Row>,
      view: (row: Row) => Item,
      read: (ids: readonly string[]) => Promise<readonly Row[]>,
    ): PagedInParts<Item> => {
      const items = rows.map(view);
      const readItems = async (ids: readonly string[]): Promise<Item[]> => (await read(ids)).map(view);
      return {
        items,
        next: encode(next),
        parts: rest?.length ? itemParts(items, rest, readItems) : null,
      };
    },
    encode,
  };
};
