import { join } from 'node:path';
import { loadFrameCopier } from '../audio/index.js';
import { dataDirectory } from '../config/data-dir.js';
import { type Settings, shardCount } from '../config/index.js';
import { startEnginePool } from '../engine/index.js';
import { type Listener, openListener, startFront } from '../front/index.js';
import { createTokenVerifier } from '../identity/index.js';
import { startCompletionFeed } from '../journal/index.js';
import { countLogLosses, createLogger, type Logger } from '../log/index.js';
import { type MetricsRow, MetricsTable } from '../metrics/index.js';
import { startMetricsServer } from '../metrics/server.js';
import { ensureModel, modelOptions, modelsDirectory } from '../models/index.js';
import { migrate } from '../store/migrate.js';
import { startTranscriber, type Transcriber } from '../stt/index.js';
import { checkConnections } from './check-connections.js';
import { type Service, serve } from './child-link.js';
import { closingBound } from './closing-bound.js';
import { ClosingOrder } from './closing-order.js';
import { engineParts } from './closing-steps.js';
import { takeDataLock } from './data-lock.js';
import { readEngineId } from './engine-id.js';
import { makeDataDirectory } from './make-data-directory.js';
import { becomeAccount, chooseAccount, needsRootToListen } from './run-as.js';
import { checkTlsFiles } from './tls-files.js';

/** Ms that workers and connections may take to leave once nothing is left to do. */
const leaveTimeout = 5000;

/**
 * Runs one engine in this process until it is told to stop. `DATABASE_URL` has to be set by now.
 * @param index which of several engines on one port.
 */
export const runEngine = (settings: Settings, index: number): Promise<void> => {
  const log = createLogger(index === 0 ? 'engine' : `engine-${index}`, settings);
  return serve(() => startUnprivileged(settings, index, log), log, closingBound(settings));
};

/** What had to be done before privileges were given up. */
interface Prepared {
  /** With the data folder resolved: its default depends on the user. */
  readonly settings: Settings;
  readonly engineId: string;
  /** Where only root may open it. */
  readonly listener?: Listener | undefined;
}

/**
 * Does what takes root, if this process is root, gives that up, and starts the engine. Neither threads nor files of the
 * engine exist before.
 */
const startUnprivileged = async (given: Settings, index: number, log: Logger): Promise<Service> => {
  await checkTlsFiles(given, log);
  const settings = { ...given, dataDir: dataDirectory(given) };
  await makeDataDirectory(settings.dataDir);
  // Held until the process ends: two engines of one identity would take each other's conversations and spills.
  await takeDataLock(settings.dataDir, `engine-${index}`, leaveTimeout);
  const account = await chooseAccount(settings, log);
  const engineId = await readEngineId(settings.dataDir, index);
  if (account === undefined) return startEngine({ settings, engineId }, index, log);
  const listener = (await needsRootToListen(settings)) ? await openListener(settings) : undefined;
  try {
    becomeAccount(account, log);
    return await startEngine({ settings, engineId, listener }, index, log);
  } catch (thrown) {
    // Where the engine came far enough to close it itself, this does nothing.
    listener?.close();
    throw thrown;
  }
};

/** What the engine uses of the transcriber. */
type SpeechDoor = Pick<Transcriber, 'attach' | 'full' | 'wait' | 'state' | 'stop'>;

/**
 * Starts the transcriber, once its model is known to be whole: a missing file would end the child over and over.
 * With `COCHLEA_STT=discard` nothing asks for one.
 */
const openTranscriber = async (settings: Settings, log: Logger, metrics: MetricsRow): Promise<SpeechDoor> => {
  if (settings.stt === 'discard' || !settings.sttModels.includes('local')) {
    return {
      attach: (port) => port.close(),
      wait: () => 0,
      full: () => false,
      state: () => 'ready',
      stop: async () => undefined,
    };
  }
  // Whatever the operator placed is taken over here; downloads belong to set-up, `up` and `models pull`.
  await ensureModel(settings.sttModel, { ...modelOptions(settings), localOnly: true });
  const modelsDir = modelsDirectory(settings);
  const retainDir = join(dataDirectory(settings), 'audio');
  return startTranscriber({ settings, modelsDir, retainDir, log, metrics });
};

/**
 * Lag as admission sees it: ms of the worst shard, or what a new stream would wait for the transcriber, scaled to the same
 * budget. A user whose own speech waits for long does not count: new streams do not wait behind it. Without a place for audio
 * that cannot be transcribed there is no end to the wait.
 * A lost shard's last lag does not count either: its gauges are cleared.
 */
const admissionLag = (settings: Settings, table: MetricsTable, transcriber: SpeechDoor): number =>
  transcriber.full()
    ? Number.POSITIVE_INFINITY
    : Math.max(
        table.largest('shard_lag_milliseconds'),
        (transcriber.wait() * settings.lagBudget) / settings.transcriberLagBudget,
      );

const startEngine = async (prepared: Prepared, index: number, log: Logger): Promise<Service> => {
  const { settings, engineId, listener } = prepared;
  const { databaseUrl, dataDir } = settings;
  const closing = new ClosingOrder(engineParts, log);
  try {
    await migrate(databaseUrl);
    await checkConnections(settings, log);
    const table = new MetricsTable(1 + shardCount(settings));
    const metrics = table.row(0);
    countLogLosses(metrics);

    const verifier = await createTokenVerifier({ settings, databaseUrl, log });
    closing.add('identity', leaveTimeout, () => verifier.close());
    const page = await startMetricsServer({
      host: settings.metricsHost,
      port: settings.metricsPort === 0 ? 0 : settings.metricsPort + index,
      table,
      log,
    });
    closing.add('metrics page', leaveTimeout, () => page.close());
    const transcriber = await openTranscriber(settings, log, metrics);
    closing.add('transcriber', leaveTimeout, () => transcriber.stop());
    const completions = startCompletionFeed(databaseUrl, engineId);
    closing.add('completions', leaveTimeout, () => completions.close());
    const pool = await startEnginePool({
      settings,
      databaseUrl,
      dataDir,
      engineId,
      metrics: table,
      transcriber,
      log,
    });
    closing.add('shards', leaveTimeout, () => pool.stop());

    let draining = false;
    const front = await startFront({
      settings,
      shards: pool.links,
      slotsPerShard: pool.slotsPerShard,
      verifier,
      metrics,
      lag: () => admissionLag(settings, table, transcriber),
      sidecar: { host: settings.sidecarHost, port: settings.sidecarPort },
      log,
      ready: () => !draining && transcriber.state() !== 'unusable' && !transcriber.full(),
      copyFrame: loadFrameCopier(settings.core),
      ...(listener === undefined ? {} : { listener }),
    });
    closing.add('listener', leaveTimeout, front.close);
    const { port, closeStreams, replaceShard, stopAccepting, drain } = front;
    pool.onReplaced(replaceShard);
    closing.add('sockets', leaveTimeout, closeStreams);
    closing.add('sessions', settings.drainTimeout, () => {
      draining = true;
      stopAccepting();
      return drain();
    });
    log.info({ port, metricsPort: page.port }, 'engine is ready');
    return {
      port,
      core: pool.core,
      broken: pool.broken,
      close: () => closing.run(),
      mustBeKilled: () => pool.stuck,
    };
  } catch (error) {
    await closing.run();
    throw error;
  }
};
