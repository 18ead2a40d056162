import { coreOptions, coreWarning, loadCore, raiseThreadPriority } from '../audio/index.js';
import { connectionPlan } from '../config/connections.js';
import { CochleaError } from '../errors/index.js';
import { openJournal } from '../journal/index.js';
import { countLogLosses, createLogger } from '../log/index.js';
import { MetricsTable } from '../metrics/index.js';
import { RingConsumer } from '../ring/index.js';
import { createDiscardProvider, createLocalProvider, type Provider, selectProvider } from '../stt/index.js';
import { systemClock } from './clock.js';
import type { ProviderChooser } from './provider-link.js';
import { Shard } from './shard.js';
import type { ControlMessage, ShardTask } from './shard-task.js';
import { tracksPerSlot } from './track-voices.js';

/** Longest a shard waits for the replay of its spill when it ends; what is left is replayed by the next start. */
const replayTimeout = 3000;

/**
 * A piscina task that lasts as long as its shard: builds it in this thread, serves until the control port says stop,
 * and takes everything down again before it returns, so that the thread can be ended with nothing alive in it.
 */
export const runShard = async (task: ShardTask): Promise<void> => {
  const { controlPort, frontPort, transcriberPort } = task;
  try {
    await serve(task);
  } catch (thrown) {
    // Errors lose their class on the way through a pool; the control port keeps code and details.
    const failure = thrown instanceof CochleaError ? thrown.toJSON() : undefined;
    if (failure !== undefined) controlPort.postMessage({ kind: 'failed', failure } satisfies ControlMessage);
    throw thrown;
  } finally {
    transcriberPort.close();
    controlPort.close();
    frontPort.close();
  }
};

const serve = async (task: ShardTask): Promise<void> => {
  const { index, settings, slots, controlPort, frontPort, transcriberPort } = task;
  const log = createLogger(`shard-${index}`, settings);
  const metrics = new MetricsTable(task.metrics).row(1 + index);
  countLogLosses(metrics);
  const niceness = raiseThreadPriority(settings.core, task.niceness);
  log.debug({ niceness }, 'niceness of the thread');
  const ring = new RingConsumer(task.ring);
  const memory = ring.data;
  const core = await loadCore(
    settings.core,
    coreOptions(settings, { maxStreams: slots * tracksPerSlot, memory }),
  );
  const warning = coreWarning();
  if (warning !== undefined && index === 0) log.warn(warning);
  const surrenders = new Int32Array(task.surrenders);
  const journal = await openJournal({
    databaseUrl: task.databaseUrl,
    spillDir: task.spillDir,
    engineId: task.engineId,
    shard: index,
    leaseDuration: settings.leaseDuration,
    databaseTimeout: settings.databaseTimeout,
    spillSize: settings.spillSize,
    connections: connectionPlan(settings).journal,
    sharedCompletions: true,
    surrenders: () => Atomics.load(surrenders, 0),
    log,
    metrics,
  });
  const local = createLocalProvider(transcriberPort);
  const shard = new Shard({
    index,
    slots,
    settings,
    ring,
    core,
    journal,
    port: frontPort,
    choose: chooser(settings, new Map([[local.name, local]])),
    clock: systemClock,
    metrics,
    log,
  });

  const timer = setInterval(() => {
    shard.tick().catch((thrown: unknown) => log.error({ err: thrown }, 'tick failed'));
  }, settings.tick);
  controlPort.on('message', (message: ControlMessage) => {
    if (message.kind === 'stop') void shard.drain().finally(() => shard.stop());
  });
  const { name, isa } = core.capabilities;
  controlPort.postMessage({ kind: 'started', core: name, isa } satisfies ControlMessage);
  let faulty = true;
  try {
    await shard.run();
    faulty = false;
  } finally {
    clearInterval(timer);
    // After a fault the streams wait for a thread that serves them; that one replays.
    await journal.close(faulty ? 0 : replayTimeout);
    core.destroy();
  }
};

const chooser = (
  settings: ShardTask['settings'],
  providers: ReadonlyMap<string, Provider>,
): ProviderChooser => {
  if (settings.stt === 'discard') {
    const discard = createDiscardProvider();
    return (_language, _wanted, exclude) => (exclude.has(discard.name) ? null : discard);
  }
  return (language, wanted, exclude) => {
    const available = new Map([...providers].filter(([name]) => !exclude.has(name)));
    return selectProvider(settings.sttModels, available, language, wanted);
  };
};
