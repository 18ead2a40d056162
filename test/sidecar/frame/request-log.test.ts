/** Every log line of a request contains the request's id. */
import type { FastifyBaseLogger } from 'fastify';
import t from 'tap';
import { createLogger } from '../../../src/log/logger.js';
import { requestLog } from '../../../src/sidecar/request-log.js';

t.test('log lines contain the id of their request', (t) => {
  const lines: Record<string, unknown>[] = [];
  const parent = createLogger('test', 'trace', { write: (line) => void lines.push(JSON.parse(line)) });
  const log = requestLog(parent as FastifyBaseLogger, { requestId: 'request-1' });
  const failure = new Error('what was said');
  for (const [write, shown] of [
    [
      () => log.info({ operation: 'list', token: 'secret' }, 'read'),
      { level: 30, operation: 'list', msg: 'read' },
    ],
    [() => log.warn('only a text'), { level: 40, msg: 'only a text' }],
    [() => log.debug({ one: 1 }), { level: 20, one: 1 }],
    [() => log.error({ err: failure }, 'failed'), { level: 50, msg: 'failed', err: { type: 'Error' } }],
    [() => log.error(failure), { level: 50, msg: 'failed', err: { type: 'Error' } }],
    [() => log.fatal({ error: failure }, 'ended'), { level: 60, msg: 'ended' }],
    [() => log.trace({ count: 2 }, '%s of %d', 'a', 3), { level: 10, count: 2, msg: 'a of 3' }],
    [() => log.child({ part: 'x' }).info('from a child'), { level: 30, part: 'x', msg: 'from a child' }],
  ] as const) {
    write();
    const line = lines.pop()!;
    t.match(line, { ...shown, requestId: 'request-1', module: 'test' });
    t.notMatch(JSON.stringify(line), /secret|what was said/);
  }
  t.same(lines, [], 'one line for each call');
  log.silent({ nothing: true }, 'is written');
  t.same(lines, []);
  t.equal(log.level, 'trace');
  t.end();
});
