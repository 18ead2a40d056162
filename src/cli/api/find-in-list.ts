import { CommandFailure } from '../failure.js';
import { answered, answeredList, type Result } from './answered.js';
import type { PageQuery } from './pages.js';

/** Records of a list that are looked through, at most. */
const mostRecords = 10_000;
/** Pages that are asked for, at most: a service may give fewer records than it is asked for. */
const mostPages = 200;

/** Whether a service has no request for one record. Where it has one, the answer for an unknown record names its kind. */
const lacksRequest = ({ error, response }: Result<unknown>): boolean =>
  response.status === 405 ||
  (response.status === 404 && (error as { detail?: unknown } | undefined)?.detail === 'Not Found');

export interface RecordRequest<Item> {
  readonly id: string;
  /** What a record is called in messages. */
  readonly kind: string;
  /** Asks for the record alone. */
  readonly one: () => Promise<Result<Item>>;
  readonly list: (query: PageQuery) => Promise<Result<readonly Item[]>>;
  /** Records that the service gives in one page, at most. */
  readonly page: number;
}

/**
 * Reads one record. Compatible services may have no request for one; then it is looked for in the list, page by page.
 * @throws CommandFailure
 */
export const oneRecord = async <Item extends { readonly id: string }>(
  request: RecordRequest<Item>,
): Promise<Item> => {
  const { id, kind, one, list, page } = request;
  const asked = await one();
  if (!lacksRequest(asked)) return answered(asked);
  let offset = 0;
  for (let pages = 0; pages < mostPages && offset < mostRecords; pages++) {
    const items = answeredList(await list({ limit: page, offset }));
    const found = items.find((item) => item.id === id);
    if (found !== undefined) return found;
    if (items.length === 0) break;
    offset += items.length;
  }
  throw new CommandFailure('absent', `Not found: ${kind} ${id}.`);
};
