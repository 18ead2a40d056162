/** Makes an application with test routes, without a database. */
import { type FastifyInstance, fastify } from 'fastify';
import { type ReadJson, readJson } from '../../../src/service/text/read-json.js';
import { AnswerMemory } from '../../../src/sidecar/answers/answer-memory.js';
import { installErrorHandler } from '../../../src/sidecar/answers/error-handler.js';
import { installBodyParser } from '../../../src/sidecar/frame/body-parser.js';
import { type Registration, registerRoutes } from '../../../src/sidecar/frame/register.js';
import type { Route } from '../../../src/sidecar/frame/route.js';
import { schemaController } from '../../../src/sidecar/frame/schema-compilers.js';
import { FairTurns } from '../../../src/sidecar/turns/fair-turns.js';
import { LongBodies } from '../../../src/sidecar/turns/long-bodies.js';
import { countedTogether } from '../../../src/store/accounts/rate-windows.js';

export interface AppOptions
  extends Partial<
    Pick<Registration, 'memory' | 'turns' | 'bodies' | 'timeout' | 'checkAnswers' | 'knownKey'>
  > {
  /** User of every request. Without it, requests have no user. */
  readonly uid?: string;
  /** Returns the user for an `Authorization` header. Replaces `uid`. */
  readonly uidOf?: (authorization: string | undefined) => string;
  /** Every credential check waits for this promise. */
  readonly admission?: Promise<void>;
  /** Whether to install the sidecar's body parser. */
  readonly readsBodies?: true;
  /** Reads long bodies. Replaces the thread that reads them in the sidecar. */
  readonly readLong?: (bytes: Uint8Array<ArrayBuffer>) => Promise<ReadJson>;
}

/** Makes an application with these routes. It does not listen yet. */
export const appOf = (routes: readonly Route[], options: AppOptions = {}): FastifyInstance => {
  const app = fastify({ schemaController, forceCloseConnections: true });
  installErrorHandler(app);
  if (options.readsBodies) installBodyParser(app, options.readLong ?? (async (bytes) => readJson(bytes)));
  const limits = {
    counted: () => ({ policies: [], counted: countedTogether([]) }),
    consume: async () => {},
    consumed: () => {},
    consumeMore: async () => {},
    allowed: () => 1,
    spent: async () => {},
    checkLeft: async () => {},
    consumeAddress: () => {},
  };
  registerRoutes(app, routes, {
    authenticate: async (_access, authorization) => {
      await options.admission;
      const uid = options.uidOf?.(authorization) ?? options.uid;
      return uid === undefined ? null : { caller: { uid, key: null, scopes: null }, windows: null };
    },
    ...(options.knownKey && { knownKey: options.knownKey }),
    limits,
    bodies: options.bodies ?? new LongBodies(1),
    checkOrigin: () => {},
    turns: options.turns ?? new FairTurns(4),
    memory: options.memory ?? new AnswerMemory({ most: 1_000_000, mostOfUser: 1_000_000 }),
    checkAnswers: options.checkAnswers ?? true,
    bodyLimit: 20_000_000,
    timeout: options.timeout ?? 60_000,
  });
  return app;
};
