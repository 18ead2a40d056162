/**
 * Tests that deleting an account removes the user's rows from every table, including tables of later migrations, and
 * no rows of other users.
 */
import t from 'tap';
import { createUser } from '../../src/identity/users.js';
import { createLogger } from '../../src/log/logger.js';
import { removeAccounts } from '../../src/pipeline/words/removal.js';
import {
  beginDeletion,
  isDeletedAccount,
  isDeletionFinished,
  removeSome,
  uidHash,
} from '../../src/store/accounts/account-deletions.js';
import type { Sql } from '../../src/store/client/database.js';
import { claimFinished } from '../../src/store/conversations/finished-conversations.js';
import { beginStep, endStep, requestDay, requestSteps, takeDueSteps } from '../../src/store/jobs/steps.js';
import { type OwnedTable, ownedTables } from '../../src/store/schema/owned-tables.js';
import { testDatabase, untilBlocked } from '../support/database/database.js';

/**
 * Tables whose rows belong to no user, or that `removeRest` handles. The text says what a row is or which key it has.
 */
const others: Readonly<Record<string, string>> = {
  account_deletion_engines: 'confirmations by engines of earlier releases',
  account_deletion_places: 'one row for each data folder',
  account_deletions: 'record of a deletion',
  account_links: 'key: the mail address of a link',
  engine_leases: 'one row for each shard of an engine',
  photo_removals: 'names of files to remove, without users',
  photo_space: 'one row of the service',
  rate_windows: 'key: the subject that is counted',
  replayed_spills: 'numbers of entries, for each journal',
  schema_migrations: 'one row for each migration',
  search_older: 'the id up to which conversations are indexed',
  signing_keys: 'keys of the service',
};

/** Tables that only triggers fill. A deleted user has no source rows, so nothing can be added here. */
const derived = new Set(['search_texts', 'search_vectors', 'search_late']);

interface Column {
  readonly table_name: string;
  readonly column_name: string;
  readonly udt_name: string;
  readonly is_generated: string;
}

/** Returns every column of every table. Views are left out. */
const columnsOf = (sql: Sql): Promise<Column[]> => sql<Column[]>`
  select c.table_name, c.column_name, c.udt_name, c.is_generated
  from information_schema.columns c
  join information_schema.tables t using (table_schema, table_name)
  where table_schema = current_schema() and t.table_type = 'BASE TABLE' order by c.table_name, c.ordinal_position`;

/** Returns the foreign keys of all tables, one entry for each pair of columns, with the rule for deletions. */
const referencesOf = (sql: Sql) => sql<
  { table_name: string; column_name: string; to_table: string; to_column: string; rule: string }[]
>`
  select k.table_name, k.column_name, u.table_name as to_table, u.column_name as to_column, r.delete_rule as rule
  from information_schema.referential_constraints r
  join information_schema.key_column_usage k using (constraint_schema, constraint_name)
  join information_schema.constraint_column_usage u using (constraint_schema, constraint_name)
  where constraint_schema = current_schema()`;

/** Inserts one row of the user into every table. The values have the right type, but no meaning. */
const fill = async (sql: Sql, tables: readonly OwnedTable[], uid: string): Promise<void> => {
  const columns = await columnsOf(sql);
  const references = await referencesOf(sql);
  const keys = new Map<string, string>();
  const ofType: Readonly<Record<string, (column: string) => string>> = {
    uuid: () => 'gen_random_uuid()',
    text: (column) => `'${column} of ${uid}'`,
    jsonb: () => `'{}'`,
    bool: () => 'false',
    bytea: () => `'\\x00'`,
    date: () => 'current_date',
    timestamptz: () => 'now()',
    tsvector: () => `''`,
    _text: () => `'{}'`,
    _uuid: () => `'{}'`,
    _float4: () => `'{}'`,
    _float8: () => `'{}'`,
  };
  for (const { name } of [...tables].reverse()) {
    const own = columns.filter((column) => column.table_name === name && column.is_generated === 'NEVER');
    const values = own.map(({ column_name: column, udt_name: type }) => {
      if (column === 'uid') return `'${uid}'`;
      const possible = references.filter((one) => one.table_name === name && one.column_name === column);
      // A foreign key of several columns appears once for each pair of its columns. Prefers the pair with equal names.
      const to = possible.find((one) => one.to_column === column) ?? possible[0];
      const key = to && keys.get(`${to.to_table}.${to.to_column}`);
      if (to && key !== undefined) return `'${key}'`;
      const value = ofType[type]?.(column);
      return value ?? (/^(int|float|numeric)/.test(type) ? '1' : 'default');
    });
    const names = own.map(({ column_name: column }) => `"${column}"`).join(', ');
    const [row] = await sql.unsafe(
      `insert into "${name}" (${names}) values (${values.join(', ')}) returning *`,
    );
    for (const [column, value] of Object.entries(row!)) keys.set(`${name}.${column}`, String(value));
  }
};

const rowsOf = async (
  sql: Sql,
  tables: readonly OwnedTable[],
  uid: string,
): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { name, condition } of tables) {
    const rows = await sql.unsafe(`select 1 from "${name}" as t where ${condition}`, [uid]);
    counts[name] = rows.length;
  }
  return counts;
};

t.test('deletion of an account', async (t) => {
  const { sql } = await testDatabase(t);
  const tables = await ownedTables(sql);
  const names = tables.map(({ name }) => name);
  const silent = createLogger('test', 'silent');

  t.test('every table is listed as owned by users or as not owned', async (t) => {
    const all = new Set((await columnsOf(sql)).map((column) => column.table_name));
    t.same(
      [...all].filter((name) => !names.includes(name) && !(name in others)),
      [],
    );
    t.same(
      Object.keys(others).filter((name) => !all.has(name) || names.includes(name)),
      [],
    );
    t.equal(names.at(-1), 'users');
    t.ok(
      names.indexOf('segments') < names.indexOf('conversations'),
      'a referring table comes before the table that it references',
    );

    const references = await referencesOf(sql);
    const columns = await columnsOf(sql);
    const triggers = await sql<{ name: string }[]>`
      select event_object_table as name from information_schema.triggers
      where trigger_name = 'refuse_deleted_account' and event_manipulation = 'INSERT'`;
    for (const { table_name: table } of columns.filter((column) => column.column_name === 'uid')) {
      if (table in others || derived.has(table)) continue;
      const refers = references.some(
        (one) =>
          one.table_name === table &&
          one.column_name === 'uid' &&
          one.to_table === 'users' &&
          one.rule === 'CASCADE',
      );
      t.ok(
        refers || triggers.some(({ name }) => name === table),
        `${table} refuses rows of a deleted user by a reference to users or by the trigger`,
      );
    }
    const namesUser = /(^|_)(uid|user|owner|account|subject|e?mail)(_|$)/;
    const known = new Set([
      'users.email',
      'users.uid',
      'accounts.email',
      'upstream_identities.subject',
      'segments.by_user',
      'segments.is_user',
      'conversations.discarded_by_user',
      'conversations.title_by_user',
      'memories.user_review',
      'account_links.email',
      'rate_windows.subject',
      'account_deletions.uid',
      'account_deletions.uid_hash',
      'account_deletion_engines.uid_hash',
      'issuer_records.session_uid',
    ]);
    const named = columns
      .filter(({ column_name: column }) => namesUser.test(column) && column !== 'uid')
      .map(({ table_name: table, column_name: column }) => `${table}.${column}`)
      .filter((name) => !known.has(name));
    t.same(named, [], 'no unlisted column may identify a user');
  });

  t.test("removes the user's rows from every table in bounded steps, and no other rows", async (t) => {
    // Drops the check constraints, because the rows of this test have values without meaning.
    const checks = await sql<{ name: string; table: string }[]>`
      select conname as name, conrelid::regclass::text as "table" from pg_constraint
      where contype = 'c' and connamespace = current_schema()::regnamespace`;
    for (const { name, table } of checks) await sql.unsafe(`alter table ${table} drop constraint "${name}"`);
    for (const uid of ['ann', 'bob']) await fill(sql, tables, uid);
    await sql`update users set email = uid || '@Example.org'`;
    for (const uid of ['ann', 'bob']) {
      const email = `${uid}@example.org`;
      await sql`insert into account_links (hash, email, expires_at) values (${uid}, ${email}, now() + interval '1 hour')`;
      for (const subject of [uid, `issuer ${uidHash(email)}`, `issuer ${uidHash(email)} 192.0.2.1`])
        await sql`insert into rate_windows values (${subject}, 'p', 1, 1, now() + interval '1 hour')`;
    }
    const of = async (uid: string): Promise<Record<string, number>> => ({
      ...(await rowsOf(sql, tables, uid)),
      links: (await sql`select 1 from account_links where email = ${`${uid}@example.org`}`).length,
      windows: (
        await sql`select 1 from rate_windows where subject = ${uid} or subject like ${`issuer ${uidHash(`${uid}@example.org`)}%`}`
      ).length,
    });
    const before = await of('bob');
    t.same(
      Object.entries(await of('ann')).filter(([, rows]) => rows === 0),
      [],
      'every table has a row of the user',
    );

    t.equal(await beginDeletion(sql, 'unknown'), false);
    t.equal(await beginDeletion(sql, 'ann'), true);
    t.equal(await beginDeletion(sql, 'ann'), true, 'a repeated request');
    let pieces = 0;
    let left = Object.values(await of('ann')).reduce((sum, rows) => sum + rows, 0);
    for (
      let outcome = await removeSome(sql, tables, 1);
      outcome === 'removed';
      outcome = await removeSome(sql, tables, 1)
    ) {
      pieces++;
      const now = await of('ann');
      const rows = Object.values(now).reduce((sum, count) => sum + count, 0);
      t.ok(rows < left && left - rows <= 3, 'each step removes one row and the rows that depend on it');
      t.ok(
        now.users === 1 && now.api_keys === 1 && now.issuer_records === 1,
        'credentials remain until the end',
      );
      left = rows;
    }
    t.ok(pieces > 10, `${pieces} steps`);
    t.same(
      Object.entries(await of('ann')).filter(([, rows]) => rows > 0),
      [],
    );
    t.same(await of('bob'), before);
    t.same(
      [...(await sql`select uid, uid_hash, finished_at is not null as finished from account_deletions`)],
      [{ uid: null, uid_hash: uidHash('ann'), finished: true }],
      'only a hash of the user id remains',
    );
    t.equal(await removeSome(sql, tables), 'idle');
    t.equal(await isDeletionFinished(sql, 'ann'), true);
    t.same([await isDeletedAccount(sql, 'ann'), await isDeletedAccount(sql, 'bob')], [true, false]);
    await t.rejects(createUser(sql, { uid: 'ann' }), /was deleted/);
  });

  t.test(
    'a conversation that begins during the deletion is removed, and later conversations are refused',
    async (t) => {
      await createUser(sql, { uid: 'late' });
      const begin = (on: Pick<Sql, 'unsafe'>) =>
        on.unsafe(
          `insert into conversations (id, uid, status, source, created_at, last_speech_at)
         values (gen_random_uuid(), 'late', 'in_progress', 'phone', now(), now()) returning id`,
        );
      let deletion: Promise<boolean> | undefined;
      await sql.begin(async (transaction) => {
        t.equal((await begin(transaction)).length, 1);
        deletion = beginDeletion(sql, 'late');
        await untilBlocked(sql);
      });
      t.equal(await deletion, true, 'the deletion waited for the transaction');
      t.equal((await begin(sql)).length, 0, 'a later conversation is not stored');
      t.equal(await removeAccounts(sql, silent), 1);
      t.same([...(await sql`select 1 from conversations where uid = 'late'`)], []);
      t.equal((await begin(sql)).length, 0, 'also after the account is removed');
    },
  );

  t.test('waiting steps of a deleted account store nothing more', async (t) => {
    await createUser(sql, { uid: 'dora' });
    const [talk] = await sql<{ id: string }[]>`
      insert into conversations (id, uid, status, source, created_at, last_speech_at)
      values (gen_random_uuid(), 'dora', 'processing', 'phone', now(), now()) returning id`;
    const id = talk!.id;
    const run = { step: 'memories', key: id, run: 1, uid: 'dora' } as const;
    const due = async () =>
      (await takeDueSteps(sql, { pause: 60, limit: 100, served: [], without: [], mostOfUser: 100 })).map(
        ({ key }) => key,
      );
    const ask = () => requestSteps(sql, 'dora', id, [{ step: 'memories', again: true }]);
    const end = (on: Sql) => endStep(on, run, { generatedBy: null, error: null });
    const insertMemory = (on: Sql) => on`
      insert into memories (id, uid, content, category, visibility, manually_added, reviewed, scoring, created_at, updated_at)
      values (gen_random_uuid(), 'dora', 'Likes tea', 'system', 'private', false, false, '', now(), now())`;
    await ask();
    t.ok(await beginStep(sql, run, 60));
    // `beginDeletion` waits for the transaction, so the memory is stored before the deletion and removed by it.
    let deletion: Promise<boolean> | undefined;
    await sql.begin(async (begun) => {
      const transaction = begun as unknown as Sql;
      t.equal(await end(transaction), true);
      deletion = beginDeletion(sql, 'dora');
      await untilBlocked(sql);
      await insertMemory(transaction);
    });
    t.equal(await deletion, true);
    await sql`update steps set state = 'waiting', due_at = now() where uid = 'dora'`;
    t.notOk((await due()).includes(id), 'the step is not due');
    t.equal(await beginStep(sql, run, 60), null, 'a queued job does not begin');
    t.equal(await end(sql), false, 'a job that has begun stores nothing');
    await sql`delete from steps where uid = 'dora'`;
    await ask();
    await requestDay(sql, { uid: 'dora', day: '2026-03-02', due: new Date() });
    t.same([...(await sql`select from steps where uid = 'dora'`)], [], 'new steps are not requested');
    t.equal(await claimFinished(sql, id), null, 'no conversation is passed to a model');
    t.equal(await removeAccounts(sql, silent), 1);
    t.same([...(await sql`select from memories where uid = 'dora'`)], []);
  });
});
