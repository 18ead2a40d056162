import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import t, { type Test } from 'tap';
import { startEmbeddedPostgres } from '../../src/app/postgres/embedded-postgres.js';
import { loadSettings } from '../../src/config/load-settings.js';
import type { Settings } from '../../src/config/settings.js';
import { assistantResource } from '../../src/identity/assistant-resource.js';
import { currentSigningKey, issueIdToken } from '../../src/identity/token-issuer.js';
import { createTokenVerifier } from '../../src/identity/token-verifier.js';
import { createUser } from '../../src/identity/users.js';
import { createLogger } from '../../src/log/logger.js';
import { beginDeletion } from '../../src/store/accounts/account-deletions.js';
import { signOutEverywhere } from '../../src/store/accounts/grants.js';
import { connectDatabase, type Sql } from '../../src/store/client/database.js';
import { testDatabase } from '../support/database/database.js';
import { prepareDatabase } from '../support/database/prepared-database.js';
import { testSecret } from '../support/issuer-secret.js';

const log = createLogger('test', 'silent');
const settingsWith = (environment: Readonly<Record<string, string>> = {}): Settings =>
  loadSettings({ ISSUER_SECRET: testSecret, ...environment }).values;
const now = (): number => Math.floor(Date.now() / 1000);

interface Claims {
  readonly sub?: string | null;
  readonly aud?: string | readonly string[];
  readonly iss?: string | null;
  readonly exp?: number | null;
  readonly iat?: number;
  /** Extra claim that makes the token longer. */
  readonly more?: string;
  readonly nbf?: number;
}

const sign = (
  key: CryptoKey | Uint8Array,
  header: { alg: string; kid?: string },
  claims: Claims,
): Promise<string> => {
  const { sub = 'ann', exp = now() + 60, ...rest } = claims;
  const payload: Record<string, unknown> = {
    aud: 'cochlea',
    iss: 'cochlea',
    ...rest,
    ...(sub === null ? {} : { sub }),
    ...(exp === null ? {} : { exp }),
  };
  if (payload.iss === null) delete payload.iss;
  return new SignJWT(payload).setProtectedHeader(header).sign(key);
};

const verifierFor = async (t: Test, settings: Settings, databaseUrl: string) => {
  const verifier = await createTokenVerifier({ settings, databaseUrl, log });
  t.teardown(() => verifier.close());
  return verifier;
};

const ownKey = async (sql: Sql): Promise<{ key: CryptoKey; kid: string }> => {
  const { kid, privateJwk } = await currentSigningKey(sql, testSecret);
  return { kid, key: (await importJWK(privateJwk, 'ES256')) as CryptoKey };
};

t.test('ID tokens', async (t) => {
  // Keeps the database server running, so that it serves every subtest.
  await testDatabase(t);

  t.test('tokens of the built-in issuer', async (t) => {
    const { url, sql } = await testDatabase(t);
    const settings = settingsWith();
    await createUser(sql, { uid: 'ann' });

    t.test('simultaneous first tokens share one key', async (t) => {
      await Promise.all(Array.from({ length: 6 }, () => issueIdToken(sql, settings, 'ann')));
      t.equal((await sql`select kid from signing_keys`).length, 1);
    });

    t.test('accepts an issued token, also after a change of the address', async (t) => {
      const verifier = await verifierFor(t, settings, url);
      t.match(await verifier.verify(await issueIdToken(sql, settings, 'ann')), { uid: 'ann' });
      const moved = settingsWith({ PORT: '9999' });
      t.match(await verifier.verify(await issueIdToken(sql, moved, 'ann')), { uid: 'ann' });
    });

    t.test('refuses invalid tokens with the right code', async (t) => {
      const verifier = await verifierFor(t, settings, url);
      const { key, kid } = await ownKey(sql);
      const header = { alg: 'ES256', kid };
      const stranger = (await generateKeyPair('ES256')).privateKey;
      const good = await sign(key, header, {});
      const [head, payload, signature] = good.split('.') as [string, string, string];
      const forged = Buffer.from(JSON.stringify({ sub: 'eve', aud: 'cochlea', exp: now() + 60 })).toString(
        'base64url',
      );
      const none = Buffer.from('{"alg":"none"}').toString('base64url');
      t.match(await verifier.verify(good), { uid: 'ann' }, 'the unchanged token is accepted');
      const cases: [name: string, token: string, code: string][] = [
        ['empty', '', 'auth_invalid'],
        ['no JWT', 'abc', 'auth_invalid'],
        ['too long', `${good}${'x'.repeat(9000)}`, 'auth_invalid'],
        ['another payload', `${head}.${forged}.${signature}`, 'auth_invalid'],
        ['no signature', `${head}.${payload}.`, 'auth_invalid'],
        ['algorithm none', `${none}.${payload}.`, 'auth_invalid'],
        [
          'a secret instead of a key',
          await sign(new TextEncoder().encode(kid.padEnd(32)), { alg: 'HS256', kid }, {}),
          'auth_invalid',
        ],
        ["a stranger's key", await sign(stranger, header, {}), 'auth_invalid'],
        ['an unknown key id', await sign(stranger, { alg: 'ES256', kid: 'other' }, {}), 'auth_invalid'],
        ['another issuer', await sign(key, header, { iss: 'http://127.0.0.1:8788' }), 'auth_invalid'],
        ['no issuer', await sign(key, header, { iss: null }), 'auth_invalid'],
        ['another audience', await sign(key, header, { aud: 'mcp' }), 'auth_invalid'],
        ['expired', await sign(key, header, { exp: now() - 120 }), 'auth_expired'],
        ['not yet valid', await sign(key, header, { nbf: now() + 600 }), 'auth_invalid'],
        ['without end', await sign(key, header, { exp: null }), 'auth_invalid'],
        ['without subject', await sign(key, header, { sub: null }), 'auth_invalid'],
        ['empty subject', await sign(key, header, { sub: '' }), 'auth_invalid'],
        ['subject with NUL', await sign(key, header, { sub: 'a\0b' }), 'auth_invalid'],
      ];
      for (const [name, token, code] of cases) await t.rejects(verifier.verify(token), { code }, name);
      t.match(
        await verifier.verify(await sign(key, header, { exp: now() - 5 })),
        { uid: 'ann' },
        'a small clock difference is tolerated',
      );
    });

    t.test(
      'a change of PUBLIC_URL ends its tokens, unless ID_TOKEN_FORMER_ISSUERS lists the old address',
      async (t) => {
        const token = await issueIdToken(sql, settingsWith({ PUBLIC_URL: 'https://old.example/' }), 'ann');
        const moved = await verifierFor(t, settingsWith({ PUBLIC_URL: 'https://new.example' }), url);
        await t.rejects(moved.verify(token), { code: 'auth_invalid' });
        const both = settingsWith({
          PUBLIC_URL: 'https://new.example',
          ID_TOKEN_FORMER_ISSUERS: 'https://old.example',
        });
        t.match(await (await verifierFor(t, both, url)).verify(token), { uid: 'ann' });
      },
    );

    t.test('returns the expiry of a token', async (t) => {
      const verifier = await verifierFor(t, settings, url);
      const { key, kid } = await ownKey(sql);
      const exp = now() + 100;
      const { expiresAt } = await verifier.verify(await sign(key, { alg: 'ES256', kid }, { exp }));
      t.equal(expiresAt, (exp + 30) * 1000, 'with the tolerated clock difference');
    });

    t.test('returns the time of issue of a token, or the earliest time without one', async (t) => {
      const verifier = await verifierFor(t, settings, url);
      const { key, kid } = await ownKey(sql);
      const made = async (claims: Claims): Promise<number> =>
        (await verifier.verify(await sign(key, { alg: 'ES256', kid }, claims))).issuedAt;
      const iat = now() - 10;
      t.equal(await made({ iat }), iat * 1000 + 999, 'the end of the second in `iat`');
      t.equal(await made({}), 999);
    });

    t.test('a token may have several audiences and at most 8,192 characters', async (t) => {
      const verifier = await verifierFor(t, settings, url);
      const { key, kid } = await ownKey(sql);
      const header = { alg: 'ES256', kid };
      t.match(await verifier.verify(await sign(key, header, { aud: ['other', 'cochlea'] })), { uid: 'ann' });
      await t.rejects(verifier.verify(await sign(key, header, { aud: ['other'] })), { code: 'auth_invalid' });
      // Base64url encodes three letters of the claim as four characters, so not every length occurs. The loop collects
      // tokens of about 8,192 characters.
      const lengths = new Map<number, string>();
      for (let letters = 5900; lengths.size < 60; letters++) {
        const token = await sign(key, header, { more: 'x'.repeat(letters) });
        lengths.set(token.length, token);
        if (token.length > 8193) break;
      }
      const longest = [...lengths.keys()].filter((length) => length <= 8192).at(-1)!;
      t.ok(longest >= 8191);
      t.match(await verifier.verify(lengths.get(longest)!), { uid: 'ann' });
      const longer = [...lengths.keys()].find((length) => length > 8192)!;
      await t.rejects(verifier.verify(lengths.get(longer)!), { code: 'auth_invalid' });
    });

    t.test('refuses access tokens with the key of the built-in issuer', async (t) => {
      const verifier = await verifierFor(t, settings, url);
      const { key, kid } = await ownKey(sql);
      const token = await sign(key, { alg: 'ES256', kid }, { aud: assistantResource(settings) });
      await t.rejects(verifier.verifyAccess(token), { code: 'auth_invalid' });
      await t.rejects(verifier.verify(token), { code: 'auth_invalid' });
    });

    t.test('a deleted account is unknown or ended at once', async (t) => {
      const verifier = await verifierFor(t, settings, url);
      await createUser(sql, { uid: 'del' });
      const issuedAt = Date.now();
      const standing = (uid: string, at = issuedAt) => verifier.standing({ uid, issuedAt: at });
      t.equal(await standing('del'), 'good');
      t.same(
        await verifier.floors(['ann', 'del']),
        new Map([
          ['ann', 0],
          ['del', 0],
        ]),
      );
      await sql`delete from users where uid = 'del'`;
      t.same(
        await verifier.floors(['ann', 'del']),
        new Map([
          ['ann', 0],
          ['del', Number.POSITIVE_INFINITY],
        ]),
      );
      t.equal(await standing('del'), 'unknown', 'at once, without waiting for a cache to expire');

      await createUser(sql, { uid: 'leaving' });
      t.equal(await standing('leaving'), 'good');
      await beginDeletion(sql, 'leaving');
      t.equal(await standing('leaving'), 'good', 'the cached answer');
      verifier.forget('leaving');
      t.equal(await standing('leaving'), 'ended');
      t.same(await verifier.floors(['leaving']), new Map([['leaving', Number.POSITIVE_INFINITY]]));
      await sql`delete from users where uid = 'leaving'`;
      verifier.forget();
      t.equal(await standing('leaving'), 'ended', 'permanently');
      await t.rejects(createUser(sql, { uid: 'leaving' }), { code: 'bad_request', message: /was deleted/ });
      const external = await verifierFor(t, settingsWith({ AUTH_MODE: 'uid' }), url);
      t.equal(await external.admit('leaving'), false, 'also for a token of another issuer');
      t.equal(await external.standing({ uid: 'leaving', issuedAt }), 'ended');
    });

    t.test('a sign-out everywhere ends earlier tokens', async (t) => {
      const verifier = await verifierFor(t, settings, url);
      await createUser(sql, { uid: 'out' });
      const before = Date.now() - 5000;
      t.equal(await verifier.standing({ uid: 'out', issuedAt: before }), 'good');
      await signOutEverywhere(sql, 'out', []);
      verifier.forget('out');
      t.equal(await verifier.standing({ uid: 'out', issuedAt: before }), 'ended');
      t.equal(await verifier.standing({ uid: 'out', issuedAt: Date.now() + 1000 }), 'good', 'a newer token');
      const floor = (await verifier.floors(['out'])).get('out')!;
      t.ok(floor > before && floor <= Date.now() + 1);
      t.match(await verifier.verify(await issueIdToken(sql, settings, 'out')), { uid: 'out' });
    });

    t.test('only existing users are good', async (t) => {
      const verifier = await verifierFor(t, settings, url);
      t.equal(await verifier.standing({ uid: 'ann', issuedAt: 1 }), 'good');
      t.equal(await verifier.standing({ uid: 'nobody', issuedAt: 1 }), 'unknown');
      await createUser(sql, { uid: 'nobody' });
      t.equal(
        await verifier.standing({ uid: 'nobody', issuedAt: 1 }),
        'good',
        'the answer "unknown" is not cached',
      );
      t.equal(await verifier.standing({ uid: '', issuedAt: 1 }), 'unknown');
      t.equal(await verifier.standing({ uid: 'a\0b', issuedAt: 1 }), 'unknown');
      t.equal(await verifier.standing({ uid: 'x'.repeat(129), issuedAt: 1 }), 'unknown');
    });

    t.test('in trial mode, every uid becomes a user', async (t) => {
      const verifier = await verifierFor(t, settingsWith({ AUTH_MODE: 'uid' }), url);
      t.equal(await verifier.standing({ uid: 'guest', issuedAt: 1 }), 'good');
      t.equal((await sql`select uid from users where uid = 'guest'`).length, 1);
      t.same(
        [...(await verifier.floors(['guest', 'unwritten'])).values()],
        [0, 0],
        'a missing user is created',
      );
      t.equal((await sql`select uid from users where uid = 'unwritten'`).length, 1);
      await sql`delete from users where uid = 'guest'`;
      t.same(
        await verifier.floors(['guest', 'unwritten']),
        new Map([
          ['guest', Number.POSITIVE_INFINITY],
          ['unwritten', 0],
        ]),
      );
    });
  });

  t.test('admits streams during an outage of the database', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'cochlea-identity-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    await prepareDatabase(folder);
    const server = await startEmbeddedPostgres({ dataDir: folder, log, durable: false });
    const sql = connectDatabase(server.url, { max: 1 });
    const settings = settingsWith({ DATABASE_TIMEOUT: '1000' });
    await createUser(sql, { uid: 'ann' });
    const token = await issueIdToken(sql, settings, 'ann');
    const verifier = await verifierFor(t, settings, server.url);
    t.match(await verifier.verify(token), { uid: 'ann' });
    await sql.end();
    await server.stop();

    t.match(await verifier.verify(token), { uid: 'ann' }, 'with the cached key');
    await t.rejects(verifier.floors(['ann']), 'does not report any account as deleted');
    t.equal(await verifier.standing({ uid: 'ann', issuedAt: 1 }), 'good');
    const fresh = await verifierFor(t, settings, server.url);
    await t.rejects(
      fresh.verify(token),
      { code: 'auth_unavailable' },
      'a verifier without a cached key cannot decide',
    );
  });

  t.test('tokens of an external issuer', async (t) => {
    const { url, sql } = await testDatabase(t);
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'r1', alg: 'RS256', use: 'sig' };
    let endless: string | undefined;
    const server: Server = createServer((request, response) => {
      const { port } = server.address() as AddressInfo;
      if (request.url === endless) {
        const piece = Buffer.alloc(65_536, ' ');
        const more = (): void => {
          while (!response.destroyed && response.write(piece));
        };
        response.on('drain', more);
        more();
        return;
      }
      const discovery = { issuer: `http://127.0.0.1:${port}`, jwks_uri: `http://127.0.0.1:${port}/keys` };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(request.url === '/keys' ? { keys: [jwk] } : discovery));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const settings = settingsWith({ ID_TOKEN_ISSUER: issuer, ID_TOKEN_AUDIENCE: 'app' });
    const verifier = await verifierFor(t, settings, url);
    const header = { alg: 'RS256', kid: 'r1' };
    const good = await sign(privateKey, header, { iss: issuer, aud: 'app', sub: 'zoe' });

    t.match(await verifier.verify(good), { uid: 'zoe' }, 'found by discovery');
    t.equal(
      await verifier.standing({ uid: 'zoe', issuedAt: 1 }),
      'good',
      'a user of a valid token is created',
    );
    t.equal((await sql`select uid from users where uid = 'zoe'`).length, 1);
    const foreign = await sign(privateKey, header, { iss: 'http://elsewhere', aud: 'app' });
    await t.rejects(verifier.verify(foreign), { code: 'auth_invalid' });
    await t.rejects(verifier.verify(await sign(privateKey, header, { iss: issuer })), {
      code: 'auth_invalid',
    });

    for (const path of ['/keys', '/.well-known/openid-configuration']) {
      endless = path;
      const unable = await verifierFor(t, settings, url);
      const began = performance.now();
      await t.rejects(unable.verify(good), { code: 'auth_unavailable' }, `an endless answer of ${path}`);
      t.ok(performance.now() - began < 4000, 'its length decides, not the time limit of 5 s');
    }
    endless = undefined;

    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    t.match(await verifier.verify(good), { uid: 'zoe' }, 'also during an outage of the issuer');
    const fresh = await verifierFor(t, settings, url);
    await t.rejects(fresh.verify(good), { code: 'auth_unavailable' });
  });
});
