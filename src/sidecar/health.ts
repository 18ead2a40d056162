import type { FastifyInstance } from 'fastify';
import pTimeout from 'p-timeout';
import type { Sql } from '../store/database.js';

/** Ms after which a database that does not answer counts as unavailable. */
const answerTimeout = 2000;

/** Liveness: the process answers. Readiness: the database answers, too, and the job queue is open. */
export const healthRoutes = (
  app: FastifyInstance,
  { sql, queueReady }: { readonly sql: Sql; readonly queueReady: () => boolean },
): void => {
  const databaseReady = (): Promise<boolean> => {
    const asked = sql`select 1`.then(
      () => true,
      () => false,
    );
    return pTimeout(asked, { milliseconds: answerTimeout, fallback: () => false });
  };

  app.get('/health/live', async () => ({ status: 'ok' }));

  app.get('/health/ready', async (_request, reply) => {
    const database = await databaseReady();
    const queue = queueReady();
    const ready = database && queue;
    return reply.status(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', database, queue });
  });
};
