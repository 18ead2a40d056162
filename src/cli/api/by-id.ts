import { CommandFailure } from '../terminal/index.js';
import { answered, answeredList, type Result } from './answered.js';
import type { PageQuery } from './pages.js';

/** Records of one page of the list. */
const page = 100;
/** Records that are looked through, and pages that are read, at most: a service may give fewer records than it is asked for. */
const longestList = 20_000;
const mostPages = 400;

/** Whether the answer means that the service has no request for a single record. One that has it names the record in its 404. */
const isUnknownRequest = ({ error, response: { status } }: Result<unknown>): boolean =>
  status === 405 || (status === 404 && (error as { detail?: unknown } | undefined)?.detail === 'Not Found');

/**
 * One record. Services of the contract have lists of memories and tasks, and need not have a request for a single one; there the list is
 * read until the record is found.
 * @param kind what the record is, for the message.
 * @param single the answer to the request for the record.
 * @param ask reads a page of the list.
 * @throws CommandFailure `absent` where the list does not have it, and for what the service refuses.
 */
export const recordById = async <Item extends { readonly id: string }>(
  kind: string,
  id: string,
  single: Result<Item>,
  ask: (query: PageQuery) => Promise<Result<readonly Item[]>>,
): Promise<Item> => {
  if (!isUnknownRequest(single)) return answered(single);
  // Pages may be short where the service leaves records out of them: only an empty one ends the list.
  for (let pages = 0, offset = 0; pages < mostPages && offset < longestList; pages++) {
    const items = answeredList(await ask({ limit: page, offset }));
    const found = items.find((item) => item.id === id);
    if (found) return found;
    if (items.length === 0) break;
    offset += items.length;
  }
  throw new CommandFailure('absent', `Not found: the list has no ${kind} ${id}.`);
};
