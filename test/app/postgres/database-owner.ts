import { startEmbeddedPostgres } from '../../../src/app/postgres/embedded-postgres.js';
import { createLogger } from '../../../src/log/logger.js';

/** Runs a database until the process is killed. Argument: the data folder. */
const server = await startEmbeddedPostgres({
  dataDir: process.argv[2]!,
  log: createLogger('owner', 'silent'),
  durable: false,
});
process.send?.({ pid: server.pid, url: server.url });
setInterval(() => {}, 1000);
