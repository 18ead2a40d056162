/** Tests rows that the database returns as one JSON document. They keep their order, and times get the API's format. */
import t from 'tap';
import type { Sql } from '../../../src/store/client/database.js';
import { jsonRows, momentOf } from '../../../src/store/segments/json-rows.js';
import { testDatabase } from '../../support/database/database.js';

/** Times: as SQL text, and in the API's format. */
const moments = [
  ['2026-03-02 09:30:00Z', '2026-03-02T09:30:00Z'],
  ['2026-03-02 09:30:00.5Z', '2026-03-02T09:30:00.500000Z'],
  ['2026-03-02 09:30:00.123456Z', '2026-03-02T09:30:00.123000Z'],
  ['2026-03-02 09:30:00.000456Z', '2026-03-02T09:30:00Z'],
  ['2026-03-02 09:30:00+02', '2026-03-02T07:30:00Z'],
  ['0001-01-01 00:00:00Z', '0001-01-01T00:00:00Z'],
  ['9999-12-31 23:59:59.999Z', '9999-12-31T23:59:59.999000Z'],
] as const;

t.test('rows keep their order and their values', async (t) => {
  const { sql } = await testDatabase(t);
  const written = moments.map(([text]) => text);
  const rows = await jsonRows<{ moment: string }>(sql)`
    select text::timestamptz as moment from unnest(${written}::text[]) with ordinality as given (text, at) order by at`;
  t.same(
    rows.map(({ moment }) => momentOf(moment)),
    moments.map(([, shown]) => shown),
  );
  const kinds = await jsonRows(sql)`
    select n, n * 0.5::double precision as half, null as nothing, jsonb_build_object('n', n) as given
    from generate_series(1, ${2}::bigint) as n order by n desc`;
  t.same(kinds, [
    { n: 2, half: 1, nothing: null, given: { n: 2 } },
    { n: 1, half: 0.5, nothing: null, given: { n: 1 } },
  ]);
  t.same(await jsonRows(sql)`select 1 as one where false`, []);
});

t.test(
  'a repeated query passes the same template, because the client library stores each template for ever',
  async (t) => {
    const templates = new Set<unknown>();
    const recording = (async (parts: TemplateStringsArray) => {
      templates.add(parts);
      return [{ rows: null }];
    }) as unknown as Sql;
    for (let round = 0; round < 3; round++) await jsonRows(recording)`select ${round}::integer as round`;
    t.equal(templates.size, 1);
  },
);
