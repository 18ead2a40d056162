/**
 * Runs a sidecar that is killed after it has written copies to the database, and before it removes them from the
 * stream. Arguments: database, bus, spill folder.
 */
import { openBus } from '../../../src/bus/open-bus.js';
import { createLogger } from '../../../src/log/logger.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { busSettings } from '../../support/servers/nats.js';
import { until } from '../../support/until.js';
import { openReplay, spillKey } from './support.js';

const [databaseUrl = '', busUrl = '', spillDir = ''] = process.argv.slice(2);
const settings = busSettings({ NATS_URL: busUrl, SPILL_KEY: spillKey });
const log = createLogger('killed', 'silent');
const bus = (await openBus(settings, { role: 'sidecar', name: 'killed' }, log))!;
const source = bus.storedCopies!;
const sql = connectDatabase(databaseUrl, { max: 1, timeoutMs: 10_000 });
const die = (): Promise<void> => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};
const replay = openReplay(
  sql,
  {
    look: () => source.look(),
    oldest: () => source.oldest(),
    next: (subject, from) => source.next(subject, from),
    last: (subject) => source.last(subject),
    removeBefore: die,
    remove: die,
  },
  spillDir,
);
await until(async () => (await source.look().catch(() => null)) !== null);
for (;;) await replay.look();
