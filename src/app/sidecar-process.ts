import type { Settings } from '../config/index.js';
import { createLogger } from '../log/index.js';
import { startSidecar } from '../sidecar/index.js';
import { migrate } from '../store/migrate.js';
import { serve } from './child-link.js';
import { closingBound } from './closing-bound.js';

/** Runs the sidecar in this process until it is told to stop. `DATABASE_URL` has to be set by now. */
export const runSidecar = (settings: Settings): Promise<void> => {
  const log = createLogger('sidecar', settings);
  return serve(
    async () => {
      await migrate(settings.databaseUrl);
      const sidecar = await startSidecar({ settings, databaseUrl: settings.databaseUrl, log });
      log.info({ port: sidecar.port }, 'sidecar is ready');
      return sidecar;
    },
    log,
    closingBound(settings),
  );
};
