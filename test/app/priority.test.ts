/** Who has the processor first when everything wants it. */
import { getPriority } from 'node:os';
import t from 'tap';
import { backgroundNiceness } from '../../src/config/priority.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

t.test('the engine goes before the database, the sidecar and the transcriber', async (t) => {
  const service = await startService(t);
  const niceness = async (kind: string): Promise<number> => {
    const found = await until(() => {
      const pids = service.processes(kind);
      return pids.length > 0 && pids;
    }, kind);
    // The shells that watch over the database name it too, and stay as they are.
    return Math.max(...found.map((pid) => getPriority(pid)));
  };
  const own = getPriority();
  t.equal(await niceness('cochlea.js engine'), own);
  const expected = Math.max(own, backgroundNiceness);
  for (const kind of ['cochlea.js sidecar', 'transcriber-process', 'bin/postgres -D']) {
    t.equal(await niceness(kind), expected, kind);
  }
});
