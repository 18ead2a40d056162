import { Pool } from 'undici';
import { median } from '../micro/stats.js';
import { authorizationOf, collection } from './operations.js';

/** Number of conversations on a page. */
const pageLength = 25;
const headers = authorizationOf(1);

interface ReadPage {
  readonly ids: readonly string[];
  readonly next: string | undefined;
  readonly ms: number;
}

const readPage = async (pool: Pool, query: string): Promise<ReadPage> => {
  const began = performance.now();
  const answer = await pool.request({ method: 'GET', path: `${collection}?${query}`, headers });
  const text = await answer.body.text();
  const ms = performance.now() - began;
  if (answer.statusCode !== 200) throw new Error(`a page was answered ${answer.statusCode}: ${text}`);
  const ids = (JSON.parse(text) as { id: string }[]).map(({ id }) => id);
  const next = answer.headers['x-next-cursor'];
  return { ids, next: typeof next === 'string' ? next : undefined, ms };
};

/** Result of reading all pages of the largest account. */
export interface Walk {
  readonly conversations: number;
  /** Query strings of all full pages of the account, in order. */
  readonly queries: readonly string[];
}

/**
 * Reads all pages of the largest account.
 * @throws Error when a conversation appears twice, or when a page other than the last one is short.
 */
export const walkPages = async (url: string): Promise<Walk> => {
  const pool = new Pool(url, { connections: 1 });
  try {
    const queries: string[] = [];
    const seen = new Set<string>();
    let counted = 0;
    for (let query: string | undefined = `limit=${pageLength}`; query !== undefined; ) {
      const { ids, next }: ReadPage = await readPage(pool, query);
      for (const id of ids) seen.add(id);
      counted += ids.length;
      if (ids.length === pageLength) queries.push(query);
      else if (next !== undefined) throw new Error('a page before the last one is short');
      query = next && `limit=${pageLength}&cursor=${next}`;
    }
    if (seen.size !== counted) throw new Error(`${counted - seen.size} conversations came twice`);
    return { conversations: counted, queries };
  } finally {
    await pool.close();
  }
};

/**
 * Returns the median ms of a page in each tenth of the account's pages. Alternates between the tenths, so that changes
 * of the machine's speed affect all tenths alike. Reads each page once before timing it, because `walkPages` leaves
 * only the last pages in the database's buffers.
 * @param times number of pages to time in each tenth.
 */
export const timeTenths = async (url: string, { queries }: Walk, times: number): Promise<number[]> => {
  const pool = new Pool(url, { connections: 1 });
  try {
    const measured = Array.from({ length: 10 }, () => [] as number[]);
    for (let index = 0; index < times; index++) {
      for (const [part, found] of measured.entries()) {
        const at = Math.floor(((part + (index + 0.5) / times) * queries.length) / 10);
        await readPage(pool, queries[at]!);
        found.push((await readPage(pool, queries[at]!)).ms);
      }
    }
    return measured.map(median);
  } finally {
    await pool.close();
  }
};

/** Returns the median ms of a page at random offsets. The offsets lie between nine tenths of `offset` and `offset`. */
export const timeOffset = async (url: string, offset: number, times: number): Promise<number> => {
  const pool = new Pool(url, { connections: 1 });
  try {
    const measured: number[] = [];
    for (let index = 0; index < times; index++) {
      const random = Math.round(offset * (0.9 + Math.random() / 10));
      measured.push((await readPage(pool, `limit=${pageLength}&offset=${random}`)).ms);
    }
    return median(measured);
  } finally {
    await pool.close();
  }
};
