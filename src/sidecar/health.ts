import pTimeout from 'p-timeout';
import { z } from 'zod';
import { CochleaError } from '../errors/index.js';
import { open } from './access/index.js';
import { shareAnswer } from './answers/index.js';
import { type Route, type RouteContext, route } from './frame/index.js';

/** Ms after which a database that does not answer counts as unavailable. */
const answerTimeout = 2000;

/** Returns the routes for liveness (the process answers) and readiness (the database also answers, and the job queue is open). */
export const healthRoutes = ({ sql, queueReady, clock }: RouteContext): readonly Route[] => {
  const databaseReady = shareAnswer((): Promise<boolean> => {
    const asked = sql`select 1`.then(
      () => true,
      () => false,
    );
    return pTimeout(asked, { milliseconds: answerTimeout, fallback: () => false });
  });

  return [
    route({
      method: 'GET',
      url: '/health/live',
      operationId: 'getLiveness',
      tag: 'Service',
      summary: 'Whether the process answers',
      access: open,
      limits: [],
      answer: z.object({ status: z.literal('ok') }),
      example: { answer: { status: 'ok' } },
      handle: () => ({ status: 'ok' as const }),
    }),

    route({
      method: 'GET',
      url: '/health/ready',
      operationId: 'getReadiness',
      tag: 'Service',
      summary: 'Whether requests can be served',
      description: 'With status 503 the body has the same fields and `detail`.',
      access: open,
      limits: [],
      answer: z.object({
        status: z.literal('ok'),
        database: z.boolean(),
        queue: z.boolean(),
        clock: z.boolean(),
      }),
      example: { answer: { status: 'ok', database: true, queue: true, clock: true } },
      handle: async ({ reply }) => {
        const database = await databaseReady();
        const queue = queueReady();
        const isTrusted = clock.isTrusted;
        if (!database || !queue || !isTrusted) {
          const { message: detail } =
            database && queue
              ? new CochleaError('clock_off', { off: clock.offset })
              : new CochleaError('database_unavailable');
          reply.status(503).send({ detail, status: 'unavailable', database, queue, clock: isTrusted });
        }
        return { status: 'ok' as const, database, queue, clock: isTrusted };
      },
    }),
  ];
};
