import { type MessagePort, workerData } from 'node:worker_threads';
import { coreOptions, loadCore, loadFrameCopier } from '../../../src/audio/index.js';
import type { Settings } from '../../../src/config/index.js';
import { systemClock } from '../../../src/engine/clock.js';
import { Shard } from '../../../src/engine/shard.js';
import { tracksPerSlot } from '../../../src/engine/track-voices.js';
import { openJournal } from '../../../src/journal/index.js';
import { createLogger } from '../../../src/log/index.js';
import { MetricsTable } from '../../../src/metrics/index.js';
import type { RingConsumer } from '../../../src/ring/index.js';
import { createDiscardProvider } from '../../../src/stt/index.js';
import { DirectLine } from './direct-line.js';
import { ShardListener } from './listener.js';

/** A listener and the shard behind it, on one thread. */
export interface ThreadTask {
  readonly index: number;
  readonly slots: number;
  readonly settings: Settings;
  readonly host: string;
  readonly port: number;
  readonly spillDir: string;
  readonly metrics: SharedArrayBuffer;
  /** 'ready' comes out of it; anything that goes in ends the thread's work. */
  readonly control: MessagePort;
}

const { index, slots, settings, host, port, spillDir, metrics: table, control } = workerData as ThreadTask;
const log = createLogger(`shard-${index}`, settings.logLevel);
const metrics = new MetricsTable(table).row(1 + index);
const line = new DirectLine(loadFrameCopier(settings.core));
const memory = line.data;
const core = await loadCore(
  settings.core,
  coreOptions(settings, { maxStreams: slots * tracksPerSlot, memory }),
);
const journal = await openJournal({
  databaseUrl: settings.databaseUrl,
  spillDir,
  engineId: `experiment-${process.pid}`,
  shard: index,
  leaseDuration: settings.leaseDuration,
  databaseTimeout: settings.databaseTimeout,
  spillSize: settings.spillSize,
  voiceBounds: { samples: settings.voiceSamples, people: settings.voicePeople },
  log,
  metrics,
});
const listener = new ShardListener({ settings, line, slots, metrics });
const discard = createDiscardProvider();
const shard = new Shard({
  images: { keep: async () => ({ refusal: 'try_again' }), remove: () => undefined },
  index,
  slots,
  settings,
  // What a shard uses of its ring; the class has private fields, so that nothing else is one to the compiler.
  ring: line as unknown as RingConsumer,
  core,
  journal,
  port: listener,
  choose: (_language, _wanted, exclude) => (exclude.has(discard.name) ? null : discard),
  retain: async () => undefined,
  clock: systemClock,
  metrics,
  log,
});
const timer = setInterval(() => void shard.tick(), settings.tick);
await listener.listen(host, port);
control.once('message', async () => {
  await listener.close();
  shard.stop();
});
control.postMessage('ready');
await shard.run();
clearInterval(timer);
await journal.close(1000);
core.destroy();
control.close();
