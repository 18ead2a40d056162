/**
 * A server that creates memories at the least possible cost. It is built from packages of the sidecar: Fastify,
 * postgres.js and the product's statement. The statement reads the key, counts the request and writes the row. The
 * server has no validation, logging, time limits or extra headers.
 *
 * It uses the product's database (`DATABASE_URL`). Prints one line, {"port": ..., "versions": {...}}. Ends with SIGTERM
 * or when its standard input ends.
 */
import { hash } from 'node:crypto';
import Fastify from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { valuesOf } from '../../../src/service/records/record-values.js';
import { useCountedKey } from '../../../src/store/accounts/key-statements.js';
import { countedTogether } from '../../../src/store/accounts/rate-windows.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { type MemoryRow, memoryWriting } from '../../../src/store/records/memories.js';
import { UncountedCapacity } from '../../../src/store/records/uncounted-capacity.js';
import { memoryRecord } from '../../../src/wire/records/index.js';

const sql = connectDatabase(process.env.DATABASE_URL ?? '', {
  max: Number(process.env.DATABASE_POOL ?? 4),
  name: 'floor',
});
const allowed = 120 * Number(process.env.RATE_LIMIT_BOOST ?? 1);
const counted = countedTogether([{ policy: 'dev:memories', allowed, seconds: 3600 }]);
/** Maximum number of records of a user. It is so high that no user of the bench reaches it. */
const capacity = new UncountedCapacity(1_000_000);

const { initial } = valuesOf(memoryRecord);

const app = Fastify();
app.post<{ Body: Pick<MemoryRow, 'content' | 'category' | 'tags'> }>(
  '/v1/dev/user/memories',
  async ({ headers, body }, reply) => {
    const now = new Date();
    const row: MemoryRow = {
      ...initial,
      id: uuidv7(),
      content: body.content,
      category: body.category,
      tags: body.tags,
      manually_added: true,
      reviewed: true,
      user_review: true,
      scoring: '01_999_0000000000',
      created_at: now,
      updated_at: now,
    };
    const secret = (headers.authorization ?? '').replace(/^.*_/, '');
    const hashed = hash('sha256', secret, 'hex');
    // The statement of `useCountedKey` finds the request's user by the secret.
    const { work, inserted } = memoryWriting(secret, row, capacity);
    const found = await useCountedKey(sql, 'dev', hashed, null, '{}', counted, work);
    if (!inserted(found?.done ?? null)) return reply.status(401).send();
    return row;
  },
);
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as { port: number };
process.stdout.write(`${JSON.stringify({ port, versions: { fastify: app.version } })}\n`);

const end = (): void => process.exit(0);
process.once('SIGTERM', end);
process.stdin.resume().once('end', end);
