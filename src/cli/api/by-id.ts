import { CommandFailure } from '../terminal/index.js';
import { answered, answeredList, type Result } from './answered.js';
import type { PageQuery } from './pages.js';

/** Number of records per page of the list. */
const page = 100;
/** Maximum number of records that are searched. */
const longestList = 20_000;
/** Maximum number of pages that are read. It is needed because a service may return fewer records than requested. */
const mostPages = 400;

/**
 * Checks whether the answer means that the service has no route for a single record. If the service has the route but
 * no such record, its 404 answer has another text.
 */
const isUnknownRequest = ({ error, response: { status } }: Result<unknown>): boolean =>
  status === 405 || (status === 404 && (error as { detail?: unknown } | undefined)?.detail === 'Not Found');

/**
 * Reads one record. Every compatible service can list memories and tasks, but it may lack the route for a single
 * record. If the route is missing, this function reads the list until it finds the record.
 * @param kind name of the record's kind, for the message.
 * @param single answer of the route for a single record.
 * @param ask requests a page of the list.
 * @throws CommandFailure `absent` if the list lacks the record, and for refusals of the service.
 */
export const recordById = async <Item extends { readonly id: string }>(
  kind: string,
  id: string,
  single: Result<Item>,
  ask: (query: PageQuery) => Promise<Result<readonly Item[]>>,
): Promise<Item> => {
  if (!isUnknownRequest(single)) return answered(single);
  // A page may be short, because the service may omit records. Only an empty page ends the list.
  for (let pages = 0, offset = 0; pages < mostPages && offset < longestList; pages++) {
    const items = answeredList(await ask({ limit: page, offset }));
    const found = items.find((item) => item.id === id);
    if (found) return found;
    if (items.length === 0) break;
    offset += items.length;
  }
  throw new CommandFailure('absent', `Not found: the list has no ${kind} ${id}.`);
};
