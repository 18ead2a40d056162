import t from 'tap';
import {
  consumeRecord,
  findRecord,
  storeRecord,
  sweepIssuerRecords,
  trimGrant,
  trimSessions,
} from '../../src/store/accounts/issuer-records.js';
import { testDatabase } from '../support/database/database.js';

const record = {
  kind: 'AuthorizationCode',
  payload: { scope: 'a' },
  uid: null,
  clientId: 'helper',
  grantId: 'g',
  sessionUid: null,
};

t.test('records of the issuer', async (t) => {
  const { sql } = await testDatabase(t);

  t.test('only the first of several simultaneous uses succeeds, and the record remains used', async (t) => {
    const key = { kind: record.kind, hash: 'code' };
    await storeRecord(sql, { ...record, ...key, expiresIn: 60 });
    const used = await Promise.all(Array.from({ length: 8 }, () => consumeRecord(sql, key)));
    t.equal(used.filter(Boolean).length, 1);
    await storeRecord(sql, { ...record, ...key, expiresIn: 60 });
    t.ok((await findRecord(sql, key))?.consumed_at);
    t.equal(await consumeRecord(sql, { ...key, hash: 'unknown' }), false);
  });

  t.test('removes the oldest sign-ins and the oldest tokens of a grant above their maximum', async (t) => {
    const kinds = async (kind: string): Promise<string[]> =>
      (await sql`select hash from issuer_records where kind = ${kind} order by hash`).map(({ hash }) => hash);
    for (const [index, hash] of ['a', 'b', 'c', 'd'].entries()) {
      await storeRecord(sql, { ...record, kind: 'Interaction', hash, grantId: null, expiresIn: 60 + index });
      await storeRecord(sql, { ...record, kind: 'RefreshToken', hash, grantId: 'many', expiresIn: 60 });
      await sql`update issuer_records set created_at = now() + make_interval(secs => ${index}) where hash = ${hash}`;
    }
    await sweepIssuerRecords(sql, 1000, 5);
    t.same(await kinds('Interaction'), ['a', 'b', 'c', 'd']);
    await sweepIssuerRecords(sql, 1000, 2);
    t.same(await kinds('Interaction'), ['c', 'd']);
    await consumeRecord(sql, { kind: 'RefreshToken', hash: 'a' });
    await trimGrant(sql, 'RefreshToken', 'many', true, 1);
    t.same(await kinds('RefreshToken'), ['a', 'b', 'c', 'd'], 'used tokens have their own maximum');
    await trimGrant(sql, 'RefreshToken', 'many', false, 2);
    t.same(await kinds('RefreshToken'), ['a', 'c', 'd']);
  });

  t.test("removes a user's least recently used sessions above the maximum", async (t) => {
    await sql`insert into users (uid) values ('ann'), ('ben')`;
    for (const [index, hash] of ['s1', 's2', 's3'].entries()) {
      const uid = index === 0 ? 'ben' : 'ann';
      await storeRecord(sql, { ...record, kind: 'Session', hash, grantId: null, uid, expiresIn: 60 });
      await sql`update issuer_records set created_at = now() + make_interval(secs => ${index}) where hash = ${hash}`;
    }
    await trimSessions(sql, 'ann', 1);
    const left = await sql`select hash from issuer_records where kind = 'Session' order by hash`;
    t.same(
      left.map(({ hash }) => hash),
      ['s1', 's3'],
    );
    await sql`delete from users`;
  });

  t.test('removes only records that expired long ago', async (t) => {
    for (const [hash, expiresIn] of Object.entries({ long: -7200, just: -60, live: 60 })) {
      await storeRecord(sql, { ...record, kind: 'Session', hash, expiresIn });
    }
    await sql`insert into account_links (hash, email, expires_at) values ('old', 'a', now() - interval '1 s'), ('new', 'a', now() + interval '1 hour')`;
    await sweepIssuerRecords(sql);
    t.same(
      (await sql`select hash from issuer_records where kind = 'Session' order by hash`).map(
        ({ hash }) => hash,
      ),
      ['just', 'live'],
    );
    t.same(
      (await sql`select hash from account_links`).map(({ hash }) => hash),
      ['new'],
    );
  });
});
