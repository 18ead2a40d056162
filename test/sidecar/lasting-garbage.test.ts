/** What each request does leaves nothing behind outside the space of young objects, whose collections are the cheap ones. */
import { getHeapSpaceStatistics } from 'node:v8';
import type { FastifyBaseLogger } from 'fastify';
import t from 'tap';
import { createLogger } from '../../src/log/index.js';
import { conversationsWork } from '../../src/service/index.js';
import { requestLog } from '../../src/sidecar/request-log.js';

/** Bytes in use that only a full collection gives back. */
const lastingBytes = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name: name }) => !name.startsWith('new_'))
    .reduce((sum, { space_used_size: size }) => sum + size, 0);

/** Calls before anything counts, in which code is compiled, and calls that count: too few for a full collection. */
const calls = { before: 10_000, counted: 5000 };
/** Bytes of a call. With a hidden class for each field, made in each call, a line left 1,800 and a page 2,100. */
const most = 250;

const parent = createLogger('test', 'info', { write: () => {} });

for (const [name, work] of [
  [
    'a line of the log with fields',
    (call: number) => {
      const log = requestLog(parent as FastifyBaseLogger, { requestId: `request-${call}` });
      const fields = {
        audit: true,
        operation: 'list',
        uid: 'user-1',
        keyId: 'key-1',
        offset: 0,
        returned: call,
      };
      log.info(fields, 'conversations read');
    },
  ],
  [
    'the statement of a page of conversations',
    (call: number) =>
      void conversationsWork({ limit: 25, offset: call % 100, cursor: undefined, transcript: false }),
  ],
] as const) {
  t.test(name, (t) => {
    for (let call = 0; call < calls.before; call++) work(call);
    const before = lastingBytes();
    for (let call = 0; call < calls.counted; call++) work(call);
    const each = (lastingBytes() - before) / calls.counted;
    t.comment(`${each.toFixed(0)} bytes a call`);
    t.ok(
      each < most,
      `${each.toFixed(0)} bytes a call outlive collections of young objects (at most ${most})`,
    );
    t.end();
  });
}
