/** Clients that read the largest answers slowly use little memory of the sidecar and the front. Other users are still served. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { connectDatabase } from '../../../src/store/client/database.js';
import { testDatabaseUrl } from '../../support/database/database.js';
import { startService } from '../../support/service.js';
import { until } from '../../support/until.js';

const list = '/v1/dev/user/conversations';
const page = `${list}?limit=25&include_transcript=true`;
const conversations = 25;
/**
 * Number of segments in each conversation, which is slightly more than one piece of an answer has, and number of
 * characters in each text.
 */
const segments = 600;
const characters = 2000;
const pageBytes = conversations * segments * characters;
const readers = 10;

/**
 * Returns the resident memory of a process in bytes: `VmRSS` is the current value, and `VmHWM` is the peak since its
 * start.
 */
const memoryOf = (pid: number, field: 'VmRSS' | 'VmHWM'): number => {
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )!;
  return Number(kilobytes) * 1024;
};

t.test('memory for large answers', async (t) => {
  const url = await testDatabaseUrl(t);
  const service = await startService(
    t,
    { DATABASE_URL: url, COCHLEA_STT: 'discard', SENTENCE_MODEL: 'none', RATE_LIMIT_BOOST: '1000' },
    async () => undefined,
  );
  for (const uid of ['ann', 'ben']) await service.user(uid);
  const [ann, ben] = await Promise.all([service.developerKey('ann'), service.developerKey('ben')]);
  const sql = connectDatabase(url, { max: 1 });
  t.teardown(() => sql.end({ timeout: 1 }));
  await sql`
    insert into conversations (id, uid, status, source, created_at, last_speech_at)
    select gen_random_uuid(), uid, 'completed', 'omi', now() - n * interval '1 minute', now()
    from unnest(array['ann', 'ben']) as uid, generate_series(1, ${conversations}::integer) as n`;
  await sql`
    insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds, end_seconds)
    select 'segment ' || n, c.id, n, 1, repeat('spoken ', ${Math.floor(characters / 7)}::integer), 'SPEAKER_00', 0, false, n, n + 1
    from conversations c, generate_series(1, ${segments}::integer) as n where c.uid = 'ann'`;
  const port = Number(new URL(service.base).port);
  const processes = [...service.processes(' sidecar'), ...service.processes(' engine')];

  const read = (key: string, path: string): Promise<Response> =>
    fetch(`${service.base}${path}`, { headers: { authorization: `Bearer ${key}` } });
  /** Returns the median time of several requests for a small page, in ms. */
  const smallPage = async (): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < 15; round++) {
      const began = performance.now();
      const answer = await read(ben, list);
      if (((await answer.json()) as unknown[]).length !== conversations) throw new Error('a page is short');
      times.push(performance.now() - began);
    }
    return times.sort((one, other) => one - other)[7]!;
  };
  const sockets: Socket[] = [];
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  /** Requests the page, reads the head of the answer, and stops reading. @returns the status and the socket. */
  const stoppedReader = async (): Promise<{ status: string; socket: Socket }> => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(`GET ${page} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${ann}\r\n\r\n`);
    const [data] = await once(socket, 'data');
    socket.pause();
    return { status: String(data).slice(9, 12), socket };
  };

  t.test('ten clients that stop reading do not block another user', async (t) => {
    const alone = await smallPage();
    const before = processes.map((pid) => memoryOf(pid, 'VmRSS'));
    const stopped = await Promise.all(Array.from({ length: readers }, stoppedReader));
    t.same(new Set(stopped.map(({ status }) => status)), new Set(['200']), 'each gets an answer');
    const beside = await smallPage();
    t.ok(
      beside < 10 * alone,
      `a small page of another user takes ${(beside / alone).toFixed(1)} times as long`,
    );
    const grown = processes.map((pid, index) => memoryOf(pid, 'VmHWM') - before[index]!);
    const shown = grown.map((bytes) => `${(bytes / 1e6).toFixed(1)} MB`).join(', ');
    t.comment(`sidecar and front have grown by ${shown}; a page has ${pageBytes / 1e6} MB`);
    t.ok(Math.max(...grown) < 3 * pageBytes, 'no process grows by three of the ten pages');
  });

  t.test('an answer ends early if its record is deleted', async (t) => {
    const { socket } = await stoppedReader();
    await sql`update conversations set deleted_at = now() where uid = 'ann' and created_at = (
      select min(created_at) from conversations where uid = 'ann')`;
    let end = '';
    socket.on('data', (data) => {
      end = `${end}${data}`.slice(-10);
    });
    socket.resume();
    await once(socket, 'close');
    t.notMatch(end, /0\r\n\r\n$/, 'the answer has no final chunk');
    await sql`update conversations set deleted_at = null where uid = 'ann'`;
    for (const other of sockets) other.destroy();
  });

  t.test('a client that reads gets every record', async (t) => {
    await until(async () => (await read(ben, list)).ok, 'slots are free');
    const answer = await read(ann, page);
    const rows = (await answer.json()) as { transcript_segments: { id: string }[] }[];
    t.equal(rows.length, conversations);
    const expected = Array.from({ length: segments }, (_, index) => `segment ${index + 1}`);
    t.ok(
      rows.every((row) => row.transcript_segments.every(({ id }, index) => id === expected[index])),
      'segments are in order',
    );
    t.same(new Set(rows.map((row) => row.transcript_segments.length)), new Set([segments]));
  });
});
