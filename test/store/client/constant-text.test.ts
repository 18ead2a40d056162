/**
 * Tests `preparedText`: a statement with constant text is prepared once per connection, and its values are sent as
 * text.
 */
import t, { type Test } from 'tap';
import { preparedText } from '../../../src/store/client/constant-text.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { StatementError } from '../../../src/store/client/statement-error.js';
import { testDatabase } from '../../support/database/database.js';

/** Makes a database and a pool with one connection, so that all statements of a test share the connection. */
const oneConnection = async (t: Test) => {
  const { url } = await testDatabase(t);
  const sql = connectDatabase(url, { max: 1, name: 'constant texts' });
  t.teardown(() => sql.end({ timeout: 1 }));
  return sql;
};

t.test('values keep their types in the first and in later calls', async (t) => {
  const sql = await oneConnection(t);
  const text = `select $1::text as words, $2::integer as whole, $3::double precision as part, $4::text[] as list,
    $5::timestamptz as moment, $6::uuid as id, $7::text::jsonb as document, $8::text is null as missing,
    $9::boolean as yes, $10::boolean as no`;
  const id = '0190a0a0-0000-7000-8000-000000000001';
  for (const words of ["O'Neil \\ \u0001 \u{1f600}", '', '{}', '$1']) {
    const values = [
      words,
      -7,
      0.25,
      '{"a,b",c}',
      '2026-11-24T10:11:12.345Z',
      id,
      '{"n":[1,"2"]}',
      null,
      true,
      false,
    ];
    const [row] = await preparedText(sql, text, values);
    t.same(
      { ...row },
      {
        words,
        whole: -7,
        part: 0.25,
        list: ['a,b', 'c'],
        moment: new Date('2026-11-24T10:11:12.345Z'),
        id,
        document: { n: [1, '2'] },
        missing: true,
        yes: true,
        no: false,
      },
    );
  }
});

t.test('a text is prepared once for all values', async (t) => {
  const sql = await oneConnection(t);
  const text = 'select $1::text as constant_text_value';
  for (const value of ['one', null, 3, '4'])
    t.same((await preparedText(sql, text, [value]))[0], {
      constant_text_value: value === null ? null : String(value),
    });
  await sql.begin(async (transaction) => {
    const [row] = await preparedText<{ constant_text_value: string }[]>(transaction, text, ['within']);
    t.equal(row!.constant_text_value, 'within');
  });
  const prepared = await sql`select from pg_prepared_statements where statement = ${text}`;
  t.equal(prepared.length, 1);
});

t.test('simultaneous statements get their own answers', async (t) => {
  const sql = await oneConnection(t);
  const text = 'select $1::integer * 2 as doubled';
  const rows = await Promise.all(
    Array.from({ length: 50 }, (_, index) => preparedText<{ doubled: number }[]>(sql, text, [index])),
  );
  t.same(
    rows.map(([row]) => row!.doubled),
    Array.from({ length: 50 }, (_, index) => index * 2),
  );
});

t.test('an error contains no values, and the next statement works', async (t) => {
  const sql = await oneConnection(t);
  const text = 'select 1 / $1::integer as part';
  for (const [value, code] of [
    [0, '22012'],
    ['what was said', '22P02'],
  ] as const) {
    const failure = await preparedText(sql, text, [value]).then(
      () => null,
      (error: unknown) => error,
    );
    t.ok(failure instanceof StatementError);
    t.equal((failure as StatementError).code, code);
    t.notMatch(JSON.stringify(failure) + (failure as Error).stack, 'what was said');
    t.equal((await preparedText(sql, text, [1]))[0]!.part, 1);
  }
  await t.rejects(preparedText(sql, 'select $1::integer frm', []), { name: 'StatementError' });
});

t.test('a statement is prepared again after a change of its table', async (t) => {
  const sql = await oneConnection(t);
  await sql`create temporary table changing (words text)`;
  await sql`insert into changing values ('here')`;
  const text = 'select * from changing where words = $1';
  t.same([...(await preparedText(sql, text, ['here']))], [{ words: 'here' }]);
  await sql`alter table changing add column more integer default 5`;
  t.same([...(await preparedText(sql, text, ['here']))], [{ words: 'here', more: 5 }]);
});
