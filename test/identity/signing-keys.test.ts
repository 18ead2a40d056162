import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { exportJWK, generateKeyPair } from 'jose';
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import type { Settings } from '../../src/config/settings.js';
import { issuerSecret } from '../../src/identity/issuer-secret.js';
import { currentSigningKey, issueIdToken, rotateSigningKey } from '../../src/identity/token-issuer.js';
import { createTokenVerifier } from '../../src/identity/token-verifier.js';
import { createUser } from '../../src/identity/users.js';
import { createLogger } from '../../src/log/logger.js';
import { testDatabase } from '../support/database/database.js';
import { testSecret } from '../support/issuer-secret.js';
import { until } from '../support/until.js';

const run = promisify(execFile);
const command = fileURLToPath(new URL('../../src/app/cochlea.js', import.meta.url));
const log = createLogger('test', 'silent');
const settingsWith = (environment: Readonly<Record<string, string>> = {}): Settings =>
  loadSettings({ ISSUER_SECRET: testSecret, ...environment }).values;

t.test('signing keys', async (t) => {
  // Keeps the database server running, so that it serves every subtest.
  await testDatabase(t);

  t.test('the database alone is not enough to sign', async (t) => {
    const { sql } = await testDatabase(t);
    await issueIdToken(sql, settingsWith(), 'ann');
    const { privateJwk } = await currentSigningKey(sql, testSecret);
    const [row] = await sql<{ text: string }[]>`select private_jwk::text as text from signing_keys`;
    t.match(privateJwk.d, /^[\w-]{43}$/);
    t.notOk(row!.text.includes(privateJwk.d!));
    const other = settingsWith({ ISSUER_SECRET: 'x'.repeat(32) });
    await t.rejects(issueIdToken(sql, other, 'ann'), { code: 'issuer_secret_wrong' });
  });

  t.test('an encrypted private key is valid only in its own row', async (t) => {
    const { sql } = await testDatabase(t);
    await issueIdToken(sql, settingsWith(), 'ann');
    await sql`update signing_keys set kid = 'other'`;
    await t.rejects(currentSigningKey(sql, testSecret), { code: 'issuer_secret_wrong' });
  });

  t.test('an unencrypted key of an earlier release is encrypted and still signs', async (t) => {
    const { sql, url } = await testDatabase(t);
    await createUser(sql, { uid: 'ann' });
    const pair = await generateKeyPair('ES256', { extractable: true });
    const [privateJwk, publicJwk] = [await exportJWK(pair.privateKey), await exportJWK(pair.publicKey)];
    await sql`
      insert into signing_keys (kid, algorithm, private_jwk, public_jwk)
      values ('old', 'ES256', ${sql.json({ ...privateJwk } as never)}, ${sql.json({ ...publicJwk, kid: 'old', alg: 'ES256' } as never)})`;
    const token = await issueIdToken(sql, settingsWith(), 'ann');
    const [row] = await sql<{ text: string }[]>`select private_jwk::text as text from signing_keys`;
    t.notOk(row!.text.includes(privateJwk.d!));
    const verifier = await createTokenVerifier({ settings: settingsWith(), databaseUrl: url, log });
    t.teardown(() => verifier.close());
    t.match(await verifier.verify(token), { uid: 'ann' });
    t.match(await verifier.verify(await issueIdToken(sql, settingsWith(), 'ann')), { uid: 'ann' });
  });

  t.test(
    'after a rotation earlier tokens remain valid for the promised time, or end at once on demand',
    async (t) => {
      const { sql, url } = await testDatabase(t);
      await createUser(sql, { uid: 'ann' });
      const settings = settingsWith();
      const verifierNow = async () => {
        const verifier = await createTokenVerifier({ settings, databaseUrl: url, log });
        t.teardown(() => verifier.close());
        return verifier;
      };
      const running = await verifierNow();
      const first = await issueIdToken(sql, settings, 'ann');
      t.match(await running.verify(first), { uid: 'ann' });
      const kid = await rotateSigningKey(sql, settings, 3600);
      const second = await issueIdToken(sql, settings, 'ann');
      t.equal((await currentSigningKey(sql, testSecret)).kid, kid);
      // The verifier reads the keys again for an unknown key, at most once per second.
      await until(
        () => running.verify(second).then(Boolean, () => false),
        'a running verifier finds the new key',
      );
      t.match(await running.verify(first), { uid: 'ann' });
      await rotateSigningKey(sql, settings, 0);
      const fresh = await verifierNow();
      for (const token of [first, second]) await t.rejects(fresh.verify(token), { code: 'auth_invalid' });
      t.match(await fresh.verify(await issueIdToken(sql, settings, 'ann')), { uid: 'ann' });
      await rotateSigningKey(sql, settings, 3600);
      await t.rejects((await verifierNow()).verify(first), { code: 'auth_invalid' }, 'not accepted again');
    },
  );

  t.test('cochlea signing-keys lists and rotates keys', async (t) => {
    const { sql, url } = await testDatabase(t);
    const env = { ...process.env, DATABASE_URL: url, ISSUER_SECRET: testSecret };
    const cochlea = async (...args: string[]): Promise<string> =>
      (await run(process.execPath, [command, 'signing-keys', ...args], { env })).stdout;
    await issueIdToken(sql, settingsWith(), 'ann');
    const rotated = JSON.parse(await cochlea('rotate', '--json'));
    t.match(rotated, { acceptedFor: 2_592_000 });
    const listed = (await cochlea('list')).trim().split('\n');
    t.equal(listed.length, 2);
    t.match(listed[0], `${rotated.kid}  ES256  signs`);
    t.match(listed[1], /accepted until/);
    t.match(await cochlea('rotate', '--now'), /refused now/);
    t.match((await cochlea('list')).trim().split('\n')[2], /refused since/);
  });
});

t.test('secret of the issuer', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-secret-'));
  t.teardown(() => rm(dataDir, { recursive: true, force: true }));

  t.test('simultaneous calls create the secret once, readable only by its owner', async (t) => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => issuerSecret({ issuerSecret: '', dataDir })),
    );
    t.equal(new Set(made).size, 1);
    t.match(made[0], /^[\w-]{43}$/);
    t.equal((await stat(join(dataDir, 'issuer-secret'))).mode & 0o777, 0o600);
    t.equal(`${made[0]}\n`, await readFile(join(dataDir, 'issuer-secret'), 'utf8'));
  });

  t.test('ISSUER_SECRET overrides the file and must not be short', async (t) => {
    t.equal(await issuerSecret({ issuerSecret: testSecret, dataDir }), testSecret);
    t.throws(() => settingsWith({ ISSUER_SECRET: 'short' }), { code: 'setting_invalid' });
  });

  t.test('an empty file is refused and not replaced', async (t) => {
    await writeFile(join(dataDir, 'issuer-secret'), '\n');
    await t.rejects(issuerSecret({ issuerSecret: '', dataDir }), { code: 'setting_invalid' });
  });
});
