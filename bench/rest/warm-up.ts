import { Pool } from 'undici';
import type { PreparedRequest } from './operations.js';

/** Requests under way at once: enough to keep a server busy. */
const atOnce = 6;

/**
 * Sends requests in turn, the next one when an earlier one is answered, whatever the answer is.
 * @param url `http://host:port`
 */
export const warmUp = async (
  url: string,
  requests: readonly PreparedRequest[],
  count: number,
): Promise<void> => {
  const pool = new Pool(url, { connections: atOnce, pipelining: 1 });
  let sent = 0;
  const send = async (): Promise<void> => {
    while (sent < count) {
      const request = requests[sent++ % requests.length]!;
      const { body } = await pool.request({ ...request, headers: { ...request.headers } });
      await body.arrayBuffer();
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, send));
  } finally {
    await pool.close();
  }
};
