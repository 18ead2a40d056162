/** Refusals at a limit are warnings in the log; failures are errors. */
import { type FastifyBaseLogger, fastify } from 'fastify';
import t from 'tap';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import type { ErrorCode } from '../../../src/errors/registry.js';
import { createLogger } from '../../../src/log/logger.js';
import { installErrorHandler } from '../../../src/sidecar/answers/error-handler.js';

t.test('a full resource is no error in the log', async (t) => {
  const lines: { readonly level: number; readonly code?: string; readonly msg: string }[] = [];
  const log = createLogger('test', 'info', { write: (line) => lines.push(JSON.parse(line)) });
  const app = fastify({ loggerInstance: log as FastifyBaseLogger });
  t.teardown(() => app.close());
  installErrorHandler(app);
  app.get<{ Params: { code: ErrorCode } }>('/:code', ({ params }) => {
    throw new CochleaError(params.code);
  });
  for (const [code, level, msg] of [
    ['uploads_full', 40, 'request refused'],
    ['overloaded', 40, 'request refused'],
    ['storage_unavailable', 50, 'request failed'],
    ['database_unavailable', 50, 'request failed'],
  ] as const) {
    t.equal((await app.inject(`/${code}`)).statusCode, 503);
    t.match(
      lines.filter((line) => line.code === code),
      [{ level, msg }],
    );
  }
});
