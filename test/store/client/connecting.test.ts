/**
 * Tests that a connection lost while it opens fails only the statement that waits for it. Also tests arrays as
 * parameters and results.
 */

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { arrayLiteral, parseTextArray } from '../../../src/store/client/array-types.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { testDatabase } from '../../support/database/database.js';

/** Messages of a PostgreSQL server to a client that it accepts: AuthenticationOk and ReadyForQuery. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

for (const ending of ['by the server', 'by its pool'] as const) {
  t.test(
    `a connection that is lost ${ending} right after it was accepted fails only its statement`,
    async (t) => {
      const unhandled: unknown[] = [];
      const note = (reason: unknown) => unhandled.push(reason);
      process.on('unhandledRejection', note);
      let sawStatement = (): void => undefined;
      const stated = new Promise<void>((resolve) => {
        sawStatement = resolve;
      });
      const server = createServer((socket) => {
        let messages = 0;
        socket.on('error', () => undefined);
        socket.on('data', () => {
          // The client's first message is its startup message. The second message is its first statement.
          if (++messages === 1) socket.write(welcome);
          else if (ending === 'by the server') socket.destroy();
          else sawStatement();
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const sql = connectDatabase(`postgres://u:p@127.0.0.1:${port}/x`, { max: 1 });
      const outcome = sql`select 1`.then(
        () => 'answered',
        (error: { code: string }) => error.code,
      );
      if (ending === 'by its pool') {
        await stated;
        await sql.end({ timeout: 0 });
      }
      t.match(await outcome, /^(CONNECTION_(CLOSED|DESTROYED)|ECONNRESET)$/);
      await sql.end({ timeout: 0 });
      // `close` calls back when every connection is closed.
      await new Promise((resolve) => server.close(resolve));
      await turn();
      process.off('unhandledRejection', note);
      t.strictSame(unhandled, [], 'no unhandled rejection, which would end the process');
    },
  );
}

t.test('arrays are sent and received unchanged', async (t) => {
  const { sql } = await testDatabase(t);
  const texts = [
    'plain',
    '',
    'NULL',
    'null',
    'with "quotes"',
    'back\\slash',
    'a,b',
    '{c}',
    'line\nbreak',
    'ü\u{1f600}',
  ];
  const [row] = await sql<{ texts: string[] }[]>`select ${texts}::text[] as texts`;
  t.strictSame(row?.texts, texts);
  const storable = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(fc.array(storable), (values) => {
      const back = parseTextArray(arrayLiteral(values));
      return back.length === values.length && back.every((text, index) => text === values[index]);
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(storable, { maxLength: 5 }), async (values) => {
      const rows = await sql<{ count: number }[]>`select cardinality(${values}::text[])::integer as count`;
      return rows[0]?.count === values.length;
    }),
    { numRuns: 30 },
  );
  const uuid = '0b9d3f0c-6a53-4f4e-9f6e-2f1d3c4b5a69';
  const [others] = await sql`
    select ${[uuid]}::uuid[] as uuids, ${[1, 2]}::integer[] as integers, ${[2 ** 40]}::bigint[] as bigints,
      array[null, 'x']::text[] as holes, '{}'::text[] as nothing, ${uuid} = any(${[uuid]}::uuid[]) as among`;
  t.strictSame(
    { ...others },
    { uuids: [uuid], integers: [1, 2], bigints: [2 ** 40], holes: [null, 'x'], nothing: [], among: true },
  );
});
