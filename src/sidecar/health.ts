import type { FastifyInstance } from 'fastify';
import type { Sql } from '../store/database.js';

const patience = 2000;

/** Liveness: the process answers. Readiness: the database does too, and the job queue is open. */
export const healthRoutes = (
  app: FastifyInstance,
  { sql, queueReady }: { readonly sql: Sql; readonly queueReady: () => boolean },
): void => {
  const databaseReady = async (): Promise<boolean> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, patience, false);
    });
    const asked = sql`select 1`.then(
      () => true,
      () => false,
    );
    const ready = await Promise.race([asked, late]);
    clearTimeout(timer);
    return ready;
  };

  app.get('/health/live', async () => ({ status: 'ok' }));

  app.get('/health/ready', async (_request, reply) => {
    const database = await databaseReady();
    const queue = queueReady();
    const ready = database && queue;
    return reply.status(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', database, queue });
  });
};
