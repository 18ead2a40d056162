import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Paged, PagedInParts } from '../../service/rules/index.js';
import { JsonInParts } from '../answers/index.js';
import { clamped, trimmed } from './fields.js';

/** Returns the query parameters of a list. With a cursor, the list continues where an earlier page ended. */
export const pageQuery = (usual: number, most: number) => ({
  limit: clamped(usual, 1, most),
  offset: clamped(0, 0, Number.MAX_SAFE_INTEGER),
  cursor: trimmed(1, 1000).optional().meta({
    description:
      '`x-next-cursor` of the previous page. Faster than `offset`, and stable when rows are added meanwhile.',
  }),
});

export const pageHeaders = { 'x-next-cursor': 'Cursor of the next page. Absent on the last page.' } as const;

/** Writes the cursor of the next page, if any, into the answer. */
export const sendCursor = (reply: FastifyReply, next: string | null): void => {
  if (next !== null) reply.header('x-next-cursor', next);
};

/** Answers with a page. The items are the body, in parts if they are long. The cursor of the next page is sent in a header. */
export const sendPage = <Item>(
  reply: FastifyReply,
  page: Paged<Item> | PagedInParts<Item>,
): Item[] | JsonInParts => {
  sendCursor(reply, page.next);
  return 'parts' in page && page.parts !== null ? new JsonInParts(page.parts) : page.items;
};

/** Schema of a comma-separated list. Blank entries are ignored. */
export const commaList = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .transform((entries) => entries.filter((entry) => entry !== ''));
