/** Tests that times are read from the database as they were written, also in early years. */
import t from 'tap';
import { testDatabase } from '../../support/database/database.js';

t.test('times of every year are read as they were written', async (t) => {
  const { sql } = await testDatabase(t);
  for (const text of [
    '0001-01-01T00:00:00.000Z',
    '0022-03-01T22:28:41.971Z',
    '0099-12-31T23:59:59.999Z',
    '1890-06-01T12:00:00.000Z',
    '2026-03-01T10:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
  ]) {
    const [row] = await sql<{ moment: Date }[]>`select ${new Date(text)}::timestamptz as moment`;
    t.equal(row!.moment.toISOString(), text);
  }
  const [row] = await sql<{ day: Date }[]>`select date '2026-03-01' as day`;
  t.equal(row!.day.toISOString(), '2026-03-01T00:00:00.000Z');
});
