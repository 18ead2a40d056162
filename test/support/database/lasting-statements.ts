/**
 * Prints one line of JSON: for each kind of statement, the bytes per call that remain in the old generation of the
 * heap. This file is a separate program, because a test runner that tracks promises keeps them alive longer.
 * `DATABASE_URL` names the database.
 */
import { preparedRaw, preparedText } from '../../../src/store/client/constant-text.js';
import { connectDatabase, type Sql } from '../../../src/store/client/database.js';
import { jsonRows } from '../../../src/store/segments/json-rows.js';
import { collect, lastingBytes } from '../memory/lasting-bytes.js';

/**
 * Numbers of calls. `before`: calls whose memory is not measured; they make V8 compile the code. `counted`: calls whose
 * memory is measured; they are too few to cause a full collection.
 */
const calls = { before: 3000, counted: 1000, betweenCollections: 100 };
/** 4,000 bytes that make a statement's value long. Some statements return this value. */
const padding = 'x'.repeat(4000);

const echoes = jsonRows<{ words: string }>;

const kinds: Readonly<Record<string, (sql: Sql, words: string) => Promise<number>>> = {
  'a prepared statement': async (sql, words) =>
    (await preparedText<{ words: string }[]>(sql, 'select $1::text as words', [words]))[0]!.words.length,
  'a prepared statement with raw rows': async (sql, words) =>
    (await preparedRaw(sql, 'select $1::text as words', [words]))[0]![0]!.toString().length,
  'rows as a document': async (sql, words) =>
    (await echoes(sql)`select ${words}::text as words`)[0]!.words.length,
  'a tagged template with a large value': async (sql, words) =>
    (await sql<{ length: number }[]>`select length(${words}::text) as length`)[0]!.length,
};

const found: Record<string, number> = {};
for (const [name, work] of Object.entries(kinds)) {
  const sql = connectDatabase(process.env.DATABASE_URL ?? '', { max: 1 });
  const run = async (count: number): Promise<void> => {
    for (let call = 0; call < count; call++) {
      const words = `${call}${padding}`;
      if ((await work(sql, words)) !== words.length) throw new Error(`${name}: another answer`);
      if (call % calls.betweenCollections === 0) collect({ type: 'minor' });
    }
  };
  await run(calls.before);
  collect();
  const before = lastingBytes();
  await run(calls.counted);
  found[name] = Math.round((lastingBytes() - before) / calls.counted);
  await sql.end({ timeout: 1 });
}
process.stdout.write(`${JSON.stringify(found)}\n`);
