/** Tests that work of each request leaves almost no memory in V8's old generation, which is expensive to collect. */
import { EventEmitter } from 'node:events';
import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import t from 'tap';
import { createLogger } from '../../../src/log/logger.js';
import { conversationsWork } from '../../../src/service/conversations/stored-conversations.js';
import { limitTime } from '../../../src/sidecar/limits/time-limit.js';
import { requestLog } from '../../../src/sidecar/request-log.js';
import { collect, lastingBytes } from '../../support/memory/lasting-bytes.js';

/**
 * Number of calls. The calls before the measurement let V8 compile the code. The counted calls are too few for a full
 * collection.
 */
const calls = { before: 10_000, counted: 5000 };
/**
 * Maximum bytes that may remain per call. Two earlier faults exceeded it. A new hidden class for each field left 1,800
 * bytes per log line and 2,100 per page. A Map of time limits kept 2,000 bytes of each request of 4,000.
 */
const most = 250;

const parent = createLogger('test', 'info', { write: () => {} });

/** Answers that have not ended. A fourth answer ends the oldest one. */
const answers: EventEmitter[] = [];

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
  [
    'the time limit of a request',
    (call: number) => {
      const raw = new EventEmitter();
      limitTime({ raw, sent: false, content: new Array(500).fill(call) } as object as FastifyReply, 60_000);
      if (answers.push(raw) > 3) answers.shift()!.emit('close');
    },
  ],
] as const) {
  t.test(name, (t) => {
    for (let call = 0; call < calls.before; call++) work(call);
    collect();
    const before = lastingBytes();
    for (let call = 0; call < calls.counted; call++) work(call);
    const each = (lastingBytes() - before) / calls.counted;
    for (const raw of answers.splice(0)) raw.emit('close');
    t.comment(`${each.toFixed(0)} bytes a call`);
    t.ok(
      each < most,
      `${each.toFixed(0)} bytes per call remain after collections of young objects (at most ${most})`,
    );
    t.end();
  });
}
