/** Tests the output of the logger: repeated lines, and errors with texts that quote speech. */
import postgres from 'postgres';
import t from 'tap';
import { CochleaError, reasonOf } from '../../src/errors/cochlea-error.js';
import { createLogger } from '../../src/log/logger.js';
import { testDatabase } from '../support/database/database.js';

const secret = 'meet me at the harbour';

const collect = (settings: Parameters<typeof createLogger>[1] = 'trace') => {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('test', settings, { write: (line) => lines.push(JSON.parse(line)) });
  return { log, lines };
};

const thrownBy = async (action: () => unknown): Promise<unknown> => {
  try {
    await action();
  } catch (thrown) {
    return thrown;
  }
  throw new Error('nothing was thrown');
};

t.test('an error never brings its texts into the log, however it is logged', async (t) => {
  const { sql: store, url } = await testDatabase(t);
  // The product's own client would already have removed the texts, so the test uses a plain client.
  const sql = postgres(url, { max: 1 });
  t.teardown(() => sql.end({ timeout: 1 }));
  await sql`create table said (id int primary key, words text unique check (length(words) < 10))`;
  await sql`insert into said values (1, 'short')`;
  const errors: Record<string, unknown> = {
    'a row in the detail': await thrownBy(() => sql`insert into said values (2, ${secret})`),
    'what the store makes of it': await thrownBy(() => store`insert into said values (2, ${secret})`),
    'a key in the detail': await thrownBy(() => sql`insert into said values (3, 'short')`),
    'a value in the message': await thrownBy(() => sql`select ${secret}::text::int`),
    'JSON that does not parse': await thrownBy(() => JSON.parse(secret)),
    'a value in a type error': await thrownBy(
      () => Reflect.set(Object(secret), 'length', 1) || BigInt(secret),
    ),
    'a cause': new Error('outer', { cause: new Error(secret) }),
    'several causes': new AggregateError([new Error(secret)], secret),
    'a detail of the registry': new CochleaError('validation_failed', { why: secret, bytes: 5 }),
    'a message shaped like a frame': new Error(`x\n    at ${secret} (file:///a.js:1:1)`),
    'a name': Object.assign(new Error('x'), { name: secret, code: secret, table: secret }),
    'a text that was thrown': secret,
  };
  for (const [what, thrown] of Object.entries(errors)) {
    const { log, lines } = collect();
    log.error({ err: thrown }, 'failed');
    log.error({ err: thrown });
    log.error({ other: thrown instanceof Error ? thrown : undefined }, 'failed');
    if (thrown instanceof Error) {
      log.error(thrown);
      log.error(thrown, 'with a message');
      log.error('and %s', thrown);
    }
    log.child({ session: 1 }).warn({ error: thrown instanceof Error ? thrown : undefined }, 'child');
    t.notMatch(JSON.stringify(lines), 'harbour', what);
    t.ok(lines.length >= 4 && lines.every(({ msg }) => typeof msg === 'string'), 'every line has a message');
  }
  const { log, lines } = collect();
  log.error({ err: errors['a row in the detail'] }, 'failed');
  t.match(lines[0], {
    module: 'test',
    err: {
      type: 'PostgresError',
      code: '23514',
      constraint_name: 'said_words_check',
      table_name: 'said',
      routine: 'ExecConstraints',
    },
  });
  t.notMatch(reasonOf(errors['a value in the message']), 'harbour', 'nor does a reason for a terminal');
  log.error({ err: new CochleaError('text_too_large', { bytes: 5, limit: 4 }) }, 'failed');
  t.match(lines[1], { err: { type: 'CochleaError', code: 'text_too_large', bytes: 5, limit: 4 } });
  t.match((lines[1]!.err as { frames: string[] }).frames[0], /logger\.test/, 'where it was thrown is kept');
});

t.test('fields that carry secrets are left out', async (t) => {
  const { log, lines } = collect();
  log.info({ token: secret, text: secret, headers: { authorization: secret }, kept: 1 }, 'said');
  t.notMatch(JSON.stringify(lines), 'harbour');
  t.match(lines[0], { kept: 1 });
});

t.test('a line that repeats is written 20 times in a window, except a fatal one', async (t) => {
  const { log, lines } = collect({ logLevel: 'info', logBuffer: 1024, logRepeats: 20 });
  const child = log.child({ session: 1 });
  for (let time = 0; time < 1000; time++) child.warn({ time }, 'the spill is full');
  t.equal(lines.length, 20);
  child.warn('something else');
  t.equal(lines.length, 21);
  for (let time = 0; time < 30; time++) log.fatal('end');
  t.equal(lines.length, 51);
});

t.test('the trail of who read what is never held back', async (t) => {
  const { log, lines } = collect();
  for (let read = 0; read < 50; read++) log.info({ audit: true, uid: `user-${read}` }, 'conversations read');
  t.same(
    lines.map(({ uid }) => uid),
    Array.from({ length: 50 }, (_, read) => `user-${read}`),
  );
});
