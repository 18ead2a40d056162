import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { storableText } from '../../common/index.js';
import type { Listed, Page, Position } from '../../store/client/index.js';
import { itemParts, type JsonParts } from '../parts/index.js';
import { invalid } from './rules.js';

/** The part of a list that a caller asks for. A cursor continues a list where an earlier part ended. */
export interface PageRequest {
  readonly limit: number;
  readonly offset?: number;
  readonly cursor?: string | undefined;
}

/** A part of a list. */
export interface Paged<Item> {
  readonly items: Item[];
  /** Cursor of the next part; null at the end of the list. */
  readonly next: string | null;
}

/** A part of a list that may be too long to be read at once. */
export interface PagedInParts<Item> extends Paged<Item> {
  /** The whole part, of which `items` has the beginning; null where `items` is all of it. */
  readonly parts: JsonParts | null;
}

/** A time with more digits than this is none of ours, and from 128 characters on PostgreSQL does not read it. */
const longestTime = 32;

/** Values of positions; a client may send any text as a cursor, so they are what PostgreSQL accepts. */
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
 * Cursors of one list. A cursor is opaque to clients: the position of a row with the name of its list, in base64url. It is no
 * secret, and every list is restricted to its user, so it is not signed.
 * @param name unique among the lists, so that a cursor of another list is refused.
 * @param shape schema of the positions.
 */
export const cursorsOf = (name: string, shape: z.ZodType<Position>) => {
  const schema = z.tuple([z.literal(name), shape]);
  const decode = (cursor: string): Position => {
    try {
      if (cursor.length > longestCursor) throw invalid('cursor is not valid', 'query.cursor');
      return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))[1];
    } catch {
      throw invalid('cursor is not valid', 'query.cursor');
    }
  };
  /** The cursor of a position; null for null. */
  const encode = (next: Position | null): string | null =>
    next && Buffer.from(JSON.stringify([name, next])).toString('base64url');
  return {
    /** @throws CochleaError `validation_failed` for a cursor that this list has not made. */
    page: ({ limit, offset = 0, cursor }: PageRequest): Page => ({
      limit,
      offset,
      after: cursor === undefined ? null : decode(cursor),
    }),
    paged: <Row, Item>({ rows, next }: Listed<Row>, view: (row: Row) => Item): Paged<Item> => ({
      items: rows.map(view),
      next: encode(next),
    }),
    /** `paged` of a list whose rows were measured. @param read those of these items that are still there. */
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
