/** Compares the declarations of records with the tables that the migrations create. */
import t from 'tap';
import * as declarations from '../../../src/wire/records/index.js';
import { testDatabase } from '../../support/database/database.js';

/** All declarations of records that the module exports. */
const records = Object.values(declarations as Readonly<Record<string, unknown>>).filter(
  (one): one is declarations.RecordDeclaration => typeof one === 'object' && one !== null && 'table' in one,
);

t.test('every declared column exists in its table with the declared type', async (t) => {
  const { sql } = await testDatabase(t);
  for (const record of records) {
    const columns = await sql<{ name: string; type: string; nullable: boolean; generated: boolean }[]>`
      select attname as name, format_type(atttypid, null) as type, not attnotnull as nullable, attgenerated <> '' as generated
      from pg_attribute where attrelid = ${record.table}::text::regclass and attnum > 0 and not attisdropped`;
    const known = new Map(columns.map((column) => [column.name, column]));
    for (const [name, { type, column = name, from, nullable = false }] of declarations.fieldsOf(record)) {
      if (from === 'query' || from === 'service') continue;
      const found = known.get(column);
      const declared = type === 'timestamptz' ? 'timestamp with time zone' : type;
      t.equal(found?.type, declared, `${record.table}.${column} is ${declared}`);
      t.equal(found?.generated, from === 'generated', `${record.table}.${column}: ${from ?? 'written'}`);
      if (!nullable && record !== declarations.conversationRecord)
        t.equal(found?.nullable, false, `${record.table}.${column} is never null`);
    }
  }
});

t.test('order and lists of a declaration name existing fields', async (t) => {
  for (const record of records) {
    const names = Object.keys(record.fields);
    const { request = [], tool = [], option = [] } = record.first ?? {};
    for (const name of [...request, ...tool, ...option, ...(record.listed ?? [])])
      t.ok(names.includes(name), `${record.table}: ${name}`);
  }
});
