import { join } from 'node:path';
import { loadFrameCopier } from '../audio/index.js';
import { dataDirectory } from '../config/data-dir.js';
import { type Settings, shardCount } from '../config/index.js';
import { raiseStartedThreads } from '../config/priority.js';
import { startEnginePool } from '../engine/index.js';
import { type Front, type Listener, openListener, startFront } from '../front/index.js';
import { connectIdentity, createTokenVerifier } from '../identity/index.js';
import { startCompletionFeed } from '../journal/index.js';
import { countLogLosses, createLogger, type Logger } from '../log/index.js';
import { type MetricsRow, MetricsTable } from '../metrics/index.js';
import { startMetricsServer } from '../metrics/server.js';
import { modelOptions, modelsDirectory } from '../models/index.js';
import { accountChannel } from '../store/account-deletions.js';
import { migrate } from '../store/migrate.js';
import { ownersOf, removeRetained, startTranscriber, type Transcriber } from '../stt/index.js';
import { checkConnections } from './check-connections.js';
import { type Service, serve } from './child-link.js';
import { closingBound } from './closing-bound.js';
import { ClosingOrder } from './closing-order.js';
import { engineParts } from './closing-steps.js';
import { takeDataLock } from './data-lock.js';
import { readEngineId } from './engine-id.js';
import { ensureOwnedModel } from './ensure-owned-model.js';
import { startErasure } from './erase-deleted.js';
import { makeDataDirectory } from './make-data-directory.js';
import { becomeAccount, chooseAccount, needsRootToListen } from './run-as.js';
import { checkTlsFiles } from './tls-files.js';

/** Ms that workers and connections may take to close when they have nothing left to do. */
const leaveTimeout = 5000;

/**
 * Runs one engine in this process until it is told to stop. `DATABASE_URL` must be set.
 * @param index number of this engine among several on one port.
 */
export const runEngine = (settings: Settings, index: number): Promise<void> => {
  const log = createLogger(index === 0 ? 'engine' : `engine-${index}`, settings);
  return serve(() => startUnprivileged(settings, index, log), log, closingBound(settings));
};

/** Results of the steps that are done before privileges are given up. */
interface Prepared {
  /** Settings with the path of the data folder, whose default depends on the user. */
  readonly settings: Settings;
  readonly engineId: string;
  /** The niceness of shards, and what gives this thread its own again once they have started. */
  readonly priority: ReturnType<typeof raiseStartedThreads>;
  /** The open listener, when only root may open it. */
  readonly listener?: Listener | undefined;
}

/**
 * If this process is root, does the steps that need root and gives up the privileges; then starts the engine. The engine has
 * no threads and no files before that.
 */
const startUnprivileged = async (given: Settings, index: number, log: Logger): Promise<Service> => {
  await checkTlsFiles(given, log);
  const settings = { ...given, dataDir: dataDirectory(given) };
  await makeDataDirectory(settings.dataDir);
  // Held until the process ends: two engines with one id would take over each other's conversations and spills.
  await takeDataLock(settings.dataDir, `engine-${index}`, leaveTimeout);
  const account = await chooseAccount(settings, log);
  const engineId = await readEngineId(settings.dataDir, index);
  const priority = raiseStartedThreads(settings.shardPriority);
  if (account === undefined) return startEngine({ settings, engineId, priority }, index, log);
  const listener = (await needsRootToListen(settings)) ? await openListener(settings, log) : undefined;
  try {
    becomeAccount(account, log);
    return await startEngine({ settings, engineId, priority, listener }, index, log);
  } catch (thrown) {
    // Does nothing when the engine has closed the listener already.
    listener?.close();
    throw thrown;
  }
};

/** The methods of the transcriber that the engine uses. */
type SpeechTranscriber = Pick<Transcriber, 'attach' | 'erase' | 'full' | 'wait' | 'state' | 'stop'>;

/**
 * Verifies the model and starts the transcriber. A missing file would end the child process again and again. With
 * `COCHLEA_STT=discard`, or without the local provider, a stand-in is returned and no process is started.
 */
const openTranscriber = async (
  settings: Settings,
  log: Logger,
  metrics: MetricsRow,
): Promise<SpeechTranscriber> => {
  const retainDir = join(dataDirectory(settings), 'audio');
  if (settings.stt === 'discard' || !settings.sttModels.includes('local')) {
    return {
      attach: (port) => port.close(),
      // An earlier run may have retained audio.
      erase: async (userHashes) => void (await removeRetained(retainDir, ownersOf(userHashes))),
      wait: () => 0,
      full: () => false,
      state: () => 'ready',
      stop: async () => undefined,
    };
  }
  // Takes model files from the operator's folder, but downloads nothing: set-up, `up` and `models pull` do that.
  await ensureOwnedModel(settings.sttModel, { ...modelOptions(settings), localOnly: true });
  const modelsDir = modelsDirectory(settings);
  return startTranscriber({ settings, modelsDir, retainDir, log, metrics });
};

/**
 * The lag (ms) by which streams are admitted: the larger of the lag of the slowest shard and the wait of a new stream for the
 * transcriber, scaled to the same budget. The long wait of a single user does not count, because new streams do not wait
 * behind it. The lag is infinite when there is no space for audio that cannot be transcribed. The last lag of a lost shard
 * does not count, because its gauges are cleared.
 */
const admissionLag = (settings: Settings, table: MetricsTable, transcriber: SpeechTranscriber): number =>
  transcriber.full()
    ? Number.POSITIVE_INFINITY
    : Math.max(
        table.largest('shard_lag_milliseconds'),
        (transcriber.wait() * settings.lagBudget) / settings.transcriberLagBudget,
      );

const startEngine = async (prepared: Prepared, index: number, log: Logger): Promise<Service> => {
  const { settings, engineId, priority, listener } = prepared;
  const { databaseUrl, dataDir } = settings;
  const closing = new ClosingOrder(engineParts, log);
  try {
    await migrate(databaseUrl);
    await checkConnections(settings, log);
    const table = new MetricsTable(1 + shardCount(settings));
    const metrics = table.row(0);
    countLogLosses(metrics);

    const sql = connectIdentity(settings, databaseUrl);
    const verifier = await createTokenVerifier({ settings, databaseUrl, log, sql });
    closing.add('identity', leaveTimeout, () => sql.end({ timeout: 1 }));
    const page = await startMetricsServer({
      host: settings.metricsHost,
      port: settings.metricsPort === 0 ? 0 : settings.metricsPort + index,
      table,
      log,
    });
    closing.add('metrics page', leaveTimeout, () => page.close());
    const transcriber = await openTranscriber(settings, log, metrics);
    closing.add('transcriber', leaveTimeout, () => transcriber.stop());
    const erasure = startErasure({
      sql,
      engineId,
      dataDir,
      eraseAudio: (userHashes) => transcriber.erase(userHashes),
      interval: settings.accountCheckInterval,
      log,
    });
    let checkAccounts: Front['checkAccounts'] = async () => undefined;
    const accountChanged = (uid?: string): void => {
      verifier.forget(uid);
      void checkAccounts(uid);
      void erasure.look();
    };
    // Notifications are lost with their connection, so that everything is looked at when there is one again.
    const completions = startCompletionFeed(databaseUrl, engineId, [
      { channel: accountChannel, news: accountChanged, listening: () => accountChanged() },
    ]);
    closing.add('completions', leaveTimeout, () => {
      erasure.stop();
      return completions.close();
    });
    const pool = await startEnginePool({
      settings,
      databaseUrl,
      dataDir,
      engineId,
      niceness: priority.niceness,
      metrics: table,
      transcriber,
      log,
    });
    priority.restore();
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
    checkAccounts = front.checkAccounts;
    const { port, closeStreams, replaceShard, stopAccepting, drain } = front;
    page.describe('listener_info', 'The library that listens.', { ...front.listener });
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
