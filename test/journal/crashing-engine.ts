import { openJournal } from '../../src/journal/open-journal.js';
import { createLogger } from '../../src/log/logger.js';
import { MetricsTable } from '../../src/metrics/metrics.js';
import { change, opening, stored } from './support.js';

/**
 * An engine that only stores words, and reports each acknowledgement to its parent process. The parent process kills
 * it. Arguments: database, spill folder, engine id, shard, user.
 */
const [databaseUrl = '', spillDir = '', engineId = '', shard = '0', uid = ''] = process.argv.slice(2);
const journal = await openJournal({
  databaseUrl,
  spillDir,
  engineId,
  shard: Number(shard),
  leaseDuration: 30_000,
  databaseTimeout: 200,
  spillSize: 64 * 1024 * 1024,
  voiceBounds: { samples: 3, people: 100 },
  log: createLogger('crashing', 'silent'),
  metrics: new MetricsTable(1).row(0),
});
const { lease } = await journal.open(opening({ uid }));
process.send?.({ conversation: lease.conversationId });
for (let number = 0; ; number++) {
  const id = `s${number}`;
  const outcome = await journal.commit([change(lease, [stored(id, `word ${number}`, number)])]);
  process.send?.({ id, how: outcome.get(lease.conversationId) });
}
