/**
 * After an upgrade, all data of the earlier release exists exactly once: its database, and a spill that it had not
 * replayed when it was killed. `fixtures/upgrade` explains how the copies of this data were made.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { startEmbeddedPostgres } from '../../../src/app/postgres/embedded-postgres.js';
import { createLogger } from '../../../src/log/logger.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { metric, startService } from '../../support/service.js';
import { until } from '../../support/until.js';

const copies = fileURLToPath(new URL('../../../../fixtures/upgrade/', import.meta.url));

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of the JSON answer that it reads
  readonly body: any;
}

/** Answers that clients received from the earlier release. */
interface Expected {
  /** Maps each user to its developer key. */
  readonly keys: Readonly<Record<string, string>>;
  readonly revokedKey: string;
  /** Completed conversations, as REST returned them in the earlier release. */
  readonly finished: readonly {
    readonly uid: string;
    readonly id: string;
    readonly view: Readonly<Record<string, unknown>>;
  }[];
  /** Conversation ids in the list of each user, newest first. */
  readonly listed: Readonly<Record<string, readonly string[]>>;
  /** Open conversations, with the segments that clients had received. */
  readonly spoken: readonly {
    readonly uid: string;
    readonly id: string;
    readonly segments: readonly { readonly id: string; readonly text: string }[];
  }[];
  readonly spills: readonly { readonly folder: string; readonly file: string }[];
  readonly rows: Readonly<Record<string, number>>;
}

for (const release of readdirSync(copies, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
  const copy = join(copies, release.name);

  /** Copies the fixture into a data folder, in the state in which the earlier release left it. */
  const restore = async (dataDir: string, { spills }: Expected): Promise<void> => {
    const server = await startEmbeddedPostgres({ dataDir, log: createLogger('test', 'silent') });
    try {
      const sql = connectDatabase(server.url, { max: 1, name: 'test' });
      await sql.unsafe(gunzipSync(readFileSync(join(copy, 'database.sql.gz'))).toString()).simple();
      await sql.end();
    } finally {
      await server.stop();
    }
    await copyFile(join(copy, 'engine-id'), join(dataDir, 'engine-id'));
    for (const { folder, file } of spills) {
      const place = join(dataDir, 'spill', folder);
      await mkdir(place, { recursive: true, mode: 0o700 });
      await writeFile(join(place, 'data.mdb'), gunzipSync(readFileSync(join(copy, file))), { mode: 0o600 });
    }
  };

  t.test(`upgrades data of ${release.name}`, { timeout: 300_000 }, async (t) => {
    const expected = JSON.parse(readFileSync(join(copy, 'expected.json'), 'utf8')) as Expected;
    const { keys, finished, spoken } = expected;
    t.ok(expected.spills.length > 0 && finished.length > 0 && spoken.length > 0, 'the copy has all of it');
    const service = await startService(
      t,
      {
        LEASE_DURATION: '3000',
        SWEEP_INTERVAL: '500',
        RATE_LIMIT_BOOST: '1000',
        // The service only reads stored data, so no speech needs a transcript.
        COCHLEA_STT: 'discard',
      },
      (dataDir) => restore(dataDir, expected),
    );
    const call = async (path: string, key: string, body?: object): Promise<Answer> => {
      const answer = await fetch(service.base + path, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as Answer['body'] };
    };
    const conversations = '/v1/dev/user/conversations';
    const listOf = async (uid: string): Promise<string[]> => {
      const { body } = await call(`${conversations}?limit=100`, keys[uid]!);
      return body.map(({ id }: { id: string }) => id);
    };

    await t.test('accepts valid keys and refuses revoked ones as before', async (t) => {
      for (const [uid, key] of Object.entries(keys)) {
        const { status } = await call('/v1/dev/key', key);
        t.equal(status, 200, `the key of ${uid}`);
      }
      t.equal((await call('/v1/dev/key', expected.revokedKey)).status, 401, 'a revoked one stays refused');
    });

    await t.test('returns complete conversations unchanged', async (t) => {
      for (const { uid, id, view } of finished) {
        const { status, body } = await call(`${conversations}/${id}?include_transcript=true`, keys[uid]!);
        t.equal(status, 200);
        // Later releases added translations to segments. The old segments have none.
        for (const segment of body.transcript_segments) {
          t.same(segment.translations, [], `${id}: nothing was translated`);
          delete segment.translations;
        }
        for (const [field, value] of Object.entries(view)) t.same(body[field], value, `${id}: ${field}`);
      }
    });

    await t.test('has words from a database outage, once', async (t) => {
      for (const { uid, id, segments } of spoken) {
        await until(async () => (await listOf(uid)).includes(id), `${id} is completed`);
        const { body } = await call(`${conversations}/${id}?include_transcript=true`, keys[uid]!);
        t.same(
          body.transcript_segments.map((one: { id: string; text: string }) => ({
            id: one.id,
            text: one.text,
          })),
          segments,
          `every segment of ${id} that its client was sent, in their order`,
        );
      }
      t.equal(await metric(service, 'journal_spill_depth'), 0);
      for (const { folder } of expected.spills) {
        t.notOk(existsSync(join(service.dataDir, 'spill', folder)), 'the spill is gone');
      }
      t.equal(await metric(service, 'journal_rejected_total'), 0);
    });

    await t.test('lists every conversation once and no others', async (t) => {
      for (const uid of Object.keys(keys)) {
        const ids = [
          ...expected.listed[uid]!,
          ...spoken.filter((one) => one.uid === uid).map(({ id }) => id),
        ];
        t.same((await listOf(uid)).sort(), ids.sort(), `conversations of ${uid}`);
      }
    });

    await t.test('recognises a repeated client session', async (t) => {
      const { uid, id } = finished.find(({ view }) => view.source === 'phone' && view.geolocation !== null)!;
      const body = {
        transcript_segments: [{ text: 'Something else.', start: 0, end: 1 }],
        client_session_id: 'walk-1',
      };
      t.match(await call(`${conversations}/from-segments`, keys[uid]!, body), { status: 200, body: { id } });
    });
  });
}
