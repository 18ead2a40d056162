/** Tests that an export takes no more memory for ten times as many conversations. */
import t from 'tap';
import { createUser } from '../../src/identity/users.js';
import { exportEverything } from '../../src/service/exports/export-everything.js';
import { makeConversations } from '../sidecar/console/export-support.js';
import { testDatabase } from '../support/database/database.js';
import { collect } from '../support/memory/lasting-bytes.js';

t.test('an export of 10,000 conversations takes as much memory as one of 1,000', async (t) => {
  const { sql } = await testDatabase(t);
  /**
   * Exports all data of a user. @returns the numbers of lines and bytes, and the largest memory of heap and buffers
   * during the export, in bytes.
   */
  const exported = async (uid: string): Promise<{ lines: number; bytes: number; largest: number }> => {
    let [lines, bytes, largest, part] = [0, 0, 0, 0];
    for await (const piece of exportEverything(sql, uid, undefined)) {
      for (const byte of piece) if (byte === 10) lines++;
      bytes += piece.length;
      if (part++ % 3 > 0) continue;
      collect();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      largest = Math.max(largest, heapUsed + arrayBuffers);
    }
    return { lines, bytes, largest };
  };
  const counts = { few: 1000, many: 10_000 };
  for (const [uid, count] of Object.entries(counts)) {
    await createUser(sql, { uid, name: uid });
    await makeConversations(sql, uid, count);
  }
  // The first export loads code and prepares statements.
  await exported('few');
  const few = await exported('few');
  const many = await exported('many');
  t.same([few.lines, many.lines], [counts.few + 1, counts.many + 1]);
  t.comment(`${few.bytes} and ${many.bytes} bytes; memory ${few.largest} and ${many.largest}`);
  t.ok(many.bytes > 9 * few.bytes);
  t.ok(many.largest < 1.1 * few.largest, `${many.largest} against ${few.largest} bytes`);
});
