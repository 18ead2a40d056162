/** Tests each operation of the laptop fleet through real connections to the fleet's parts. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { attachLaptopFleet, type LaptopFleet, openLaptopFleet } from '../../../bench/laptop/index.js';
import { ownUrl, pairUrl } from '../../../bench/laptop/parts/postgres.js';
import { command } from '../../../bench/laptop/parts/product.js';
import { isAlive } from '../../../bench/laptop/processes.js';
import { addressFor, partOf } from '../../../bench/laptop/state.js';
import { Wearable } from '../../../src/app/wearable/wearable.js';
import { connectDatabase, type Sql } from '../../../src/store/client/database.js';
import { openFolder } from '../../support/folder.js';
import { withoutHaproxy } from '../../support/servers/find-haproxy.js';
import { withoutNats } from '../../support/servers/find-nats.js';
import { until } from '../../support/until.js';

const run = promisify(execFile);
const skip = withoutNats || withoutHaproxy;

const settings = { COCHLEA_STT: 'discard' };

/** Returns whether a health page answers in time. */
const answers = (url: string, timeout = 500): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(timeout) }).then(
    ({ ok }) => ok,
    () => false,
  );

t.test('a laptop fleet', { skip, timeout: 300_000 }, async (t) => {
  const folder = join(openFolder(t), 'fleet');
  const fleet: LaptopFleet = await openLaptopFleet({
    folder,
    engines: 2,
    sidecars: 1,
    transcribers: 0,
    settings,
  });
  t.teardown(() => (existsSync(folder) ? fleet.down({ quick: true }) : undefined));
  const part = (name: string) => partOf(fleet.state, name);
  const health = (name: string): string =>
    `http://127.0.0.1:${part(name).ports.main}${name.startsWith('engine') ? '/engine' : ''}/health/live`;
  /**
   * Opens one connection to the database `name`. With `from`, the connection uses the relay between the part `from` and
   * the database.
   */
  const database = (name: string, from?: string): Sql => {
    const { secrets, links } = fleet.state;
    const url = from
      ? pairUrl(secrets.database, [addressFor(links, from, name)]).replace(/\?.*/, '')
      : ownUrl(fleet.state, part(name));
    const sql = connectDatabase(url, { max: 1, name: 'test' });
    t.teardown(() => sql.end({ timeout: 0 }));
    return sql;
  };
  /** Returns the words that a server stores. The server may be a standby. */
  const words = async (name: string): Promise<string[]> => {
    const sql = database(name);
    const rows = await sql<{ text: string }[]>`select text from segments where not deleted`;
    await sql.end({ timeout: 1 });
    return rows.flatMap(({ text }) => text.split(' ')).sort();
  };

  const { stdout } = await run(process.execPath, [command, 'users', 'create', '--uid', 'ann', '--json'], {
    env: { ...process.env, ...fleet.settings },
  });
  const { token } = JSON.parse(stdout) as { token: string };
  const device = async (): Promise<Wearable> => {
    const stream = await Wearable.connect({
      url: fleet.url,
      uid: 'ann',
      token,
      codec: 'pcm8',
      rate: 8000,
      source: 'phone',
      conversationTimeout: 3600,
      connectTimeout: 60_000,
      query: { custom_stt: 'enabled' },
    });
    await stream.waitFor((event) => event.status === 'ready', 60_000);
    return stream;
  };
  const say = (stream: Wearable, text: string): void => {
    const segments = [{ text, start: 0, end: 0.5, speaker: 'SPEAKER_00' }];
    stream.sendText(JSON.stringify({ type: 'suggested_transcript', stt_provider: 'own', segments }));
  };

  await t.test('all parts are ready, and the folder is taken', async (t) => {
    const status = await fleet.status();
    t.same(
      status.parts.filter(({ ready }) => !ready),
      [],
    );
    t.match(status, { primary: 'postgres-1', replication: 'sync', url: fleet.url });
    t.equal(status.parts.filter(({ leader }) => leader).length, 1, 'one NATS server leads');
    await t.rejects(openLaptopFleet({ folder, settings }), /There is a fleet in .*fleet -- down/);
    t.equal(attachLaptopFleet(folder).url, fleet.url, 'another program finds it');
  });

  await t.test('words of a device are on both servers of the pair', async () => {
    const stream = await device();
    say(stream, 'one');
    await until(async () => (await words('postgres-1')).includes('one'));
    await until(async () => (await words('postgres-2')).includes('one'));
    stream.close();
    await stream.closed;
  });

  await t.test('kill ends all processes of a part, and its disk', async (t) => {
    const before = part('engine-1').process!;
    const id = readFileSync(join(part('engine-1').folder, 'engine-id'), 'utf8');
    await fleet.kill('engine-1', { disk: true });
    t.equal(isAlive(before), false);
    t.equal(existsSync(part('engine-1').folder), false);
    t.equal(await answers(health('engine-1')), false);
    await t.rejects(fleet.kill('engine-1'), /engine-1 is not running/);
    await until(async () => (await fleet.status()).parts.some(({ balancer }) => balancer === 'DOWN'));
    await fleet.restart('engine-1');
    t.equal(await answers(health('engine-1'), 60_000), true);
    t.not(readFileSync(join(part('engine-1').folder, 'engine-id'), 'utf8'), id, 'it is a new engine');
    await t.rejects(fleet.restart('engine-1'), /is running/);
  });

  await t.test('a paused part does not answer, and continues later', async (t) => {
    await fleet.pause('engine-2');
    const answer = fetch(health('engine-2'));
    t.equal(await answers(health('engine-2')), false);
    t.equal((await fleet.status()).parts.find(({ name }) => name === 'engine-2')!.state, 'paused');
    await fleet.resume('engine-2');
    t.equal((await answer).ok, true, 'a request that waited is answered');
  });

  await t.test('a partition holds the bytes of one part back, and no others', async (t) => {
    const [cut, free] = [database('postgres-1', 'engine-1'), database('postgres-1', 'engine-2')];
    await Promise.all([cut`select 1`, free`select 1`]);
    await fleet.partition('engine-1', ['postgres-1', 'postgres-2']);
    let answered = false;
    const waiting = cut`select 2 as number`.then((rows) => {
      answered = true;
      return rows[0]!.number as number;
    });
    await free`select 1`;
    await database('postgres-1')`select pg_sleep(0.2)`;
    t.equal(answered, false);
    t.same((await fleet.status()).parts.find(({ name }) => name === 'engine-1')!.cutFrom, [
      'postgres-1',
      'postgres-2',
    ]);
    await fleet.heal('engine-1');
    t.equal(await waiting, 2, 'the statement is answered after the partition');
  });

  await t.test('a partition that cannot be made is refused', async (t) => {
    await t.rejects(fleet.partition('nats-1', ['balancer']), /nats-1 has no connection to balancer/);
    await t.rejects(fleet.partition('engine-9'), /no part engine-9\. Parts: .*engine-2/);
    t.same(fleet.state.cuts, []);
  });

  await t.test('a drained engine closes its streams and ends', async (t) => {
    const stream = await device();
    const holder = (await until(async () =>
      (await fleet.status()).parts.find(({ streams = 0 }) => streams > 0),
    ))!.name;
    say(stream, 'two');
    await fleet.drain(holder);
    t.match(
      [1001, 1012],
      [(await stream.closed).code].filter((code) => code === 1001 || code === 1012),
    );
    t.equal(isAlive(part(holder).process), false);
    t.equal((await words('postgres-1')).includes('two'), true);
    const again = await device();
    say(again, 'three');
    await until(async () => (await words('postgres-1')).includes('three'));
    again.close();
    await again.closed;
    await t.rejects(fleet.drain('nats-1'), /drain is for/);
  });

  await t.test('a promotion ends the former primary and keeps its commits', async (t) => {
    const former = part('postgres-1').process!;
    t.equal(await fleet.promote(), 'postgres-2');
    t.equal(isAlive(former), false);
    t.same(await words('postgres-2'), ['one', 'three', 'two']);
    await t.rejects(fleet.promote(), /postgres-1 is not running/);
    await database('postgres-2')`create table after_promotion as select 7 as number`;
    await fleet.restart('postgres-1');
    t.match(await fleet.status(), { primary: 'postgres-2', replication: 'sync' });
    await until(async () => (await database('postgres-1')`select number from after_promotion`).length === 1);
    await t.rejects(database('postgres-1')`insert into after_promotion values (8)`, /read-only/);
    // The address for clients names the standby first.
    t.match(fleet.settings.DATABASE_URL, `:${part('postgres-1').ports.main},`);
    const pair = connectDatabase(fleet.settings.DATABASE_URL!, { max: 1, name: 'test' });
    t.teardown(() => pair.end({ timeout: 0 }));
    await pair`insert into after_promotion values (9)`;
    const stream = await device();
    say(stream, 'four');
    await until(async () => (await words('postgres-2')).includes('four'), 'engines follow the promotion');
  });

  await t.test('down leaves no process and no file', async (t) => {
    const started = fleet.state.parts.map(({ process }) => process);
    t.equal(started.filter(isAlive).length, started.length - 1, 'all but the drained engine');
    await fleet.down({ quick: true });
    t.same(started.filter(isAlive), []);
    t.equal(existsSync(folder), false);
    t.throws(() => attachLaptopFleet(folder), /There is no fleet in/);
  });
});

t.test('what is missing is named before anything starts', { skip }, async (t) => {
  const folder = join(openFolder(t), 'fleet');
  await t.rejects(openLaptopFleet({ folder, transcribers: 0 }), /Engines need a transcriber/);
  const durable = { MIN_DURABILITY: 'stream' };
  await t.rejects(
    openLaptopFleet({ folder, transcribers: 0, settings: durable }),
    /Engines need a transcriber/,
    'a setting that requires the bus is valid',
  );
  await t.rejects(openLaptopFleet({ folder: `${folder}${'x'.repeat(80)}`, settings }), /too long/);
  const { HAPROXY_BIN } = process.env;
  t.teardown(() => {
    if (HAPROXY_BIN === undefined) delete process.env.HAPROXY_BIN;
    else process.env.HAPROXY_BIN = HAPROXY_BIN;
  });
  process.env.HAPROXY_BIN = '/nowhere/haproxy';
  await t.rejects(openLaptopFleet({ folder, settings }), /\/nowhere\/haproxy cannot be run: apt-get install/);
  t.equal(existsSync(folder), false);
});
