import { join } from 'node:path';
import { loadFrameCopier } from '../../audio/index.js';
import { within } from '../../common/index.js';
import { type Settings, shardCount } from '../../config/index.js';
import { dataDirectory, raiseStartedThreads } from '../../config/process/index.js';
import { startEnginePool } from '../../engine/pool/index.js';
import { type Front, type Listener, openListener, startFront } from '../../front/index.js';
import { connectIdentity, createTokenVerifier } from '../../identity/index.js';
import { countLogLosses, createLogger, type Logger } from '../../log/index.js';
import { type MetricsRow, MetricsTable } from '../../metrics/index.js';
import { type MetricsServer, startMetricsServer } from '../../metrics/page/index.js';
import { modelOptions } from '../../models/index.js';
import { DatabaseClock } from '../../store/clock/index.js';
import { migrate } from '../../store/schema/index.js';
import { openRetainedStore, type RetainedStore, serveRetainer } from '../../stt/retained/index.js';
import { startTranscriber, type Transcriber } from '../../stt/service/index.js';
import { checkConnections } from '../database/index.js';
import { openFleet } from '../fleet/index.js';
import { ensureOwnedModel, transcribesHere } from '../models/index.js';
import { makeDataDirectory } from '../privileges/index.js';
import {
  ClosingOrder,
  closingBound,
  engineParts,
  leaveTimeout,
  type Service,
  serve,
  takeDataLock,
} from '../process/index.js';
import { followAccounts } from './account-news.js';
import { readEngineId } from './engine-id.js';
import { transcriptionSocket, transcriptionStarter } from './join-transcription.js';
import { becomeAccount, chooseAccount, needsRootToListen } from './run-as.js';
import { openShardHelpers } from './shard-helpers.js';
import { checkTlsFiles } from './tls-files.js';

/**
 * Runs one engine in this process until it must stop. `DATABASE_URL` must be set.
 * @param index number of this engine among several on one port.
 */
export const runEngine = (settings: Settings, index: number): Promise<void> => {
  const log = createLogger(index === 0 ? 'engine' : `engine-${index}`, settings);
  return serve(() => startUnprivileged(settings, index, log), log, closingBound(settings));
};

/** Results of the steps before privileges are dropped. */
interface Prepared {
  /**
   * The settings, with the path of the data folder. This path is filled in before the user changes, because the default
   * path depends on the user.
   */
  readonly settings: Settings;
  readonly engineId: string;
  /** Niceness of the shards, and the function that restores this thread's niceness after the shards have started. */
  readonly priority: ReturnType<typeof raiseStartedThreads>;
  /** The open listener, if only root can open it. */
  readonly listener?: Listener | undefined;
}

/**
 * Starts the engine. As root it first performs the steps that need root, then drops its privileges. Until then the
 * engine has no threads and no files.
 */
const startUnprivileged = async (given: Settings, index: number, log: Logger): Promise<Service> => {
  await checkTlsFiles(given, log);
  const settings = { ...given, dataDir: dataDirectory(given) };
  await makeDataDirectory(settings.dataDir);
  // The lock is held until the process ends. Two engines with the same id would take over each other's conversations
  // and spills.
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
    // This call has no effect if the engine has already closed the listener.
    listener?.close();
    throw thrown;
  }
};

/** The methods of the transcriber that the engine uses. */
type SpeechTranscriber = Pick<Transcriber, 'attach' | 'wait' | 'state' | 'stop'>;

/** Maximum ms to wait for the first answer of the transcription service. The engine also joins a service that starts later. */
const joinTimeout = 20_000;

/**
 * Joins the transcription service of this machine. With `COCHLEA_STT=discard`, or without the local provider, it
 * returns a substitute that transcribes nothing.
 * @throws CochleaError transcriber_refused; errors of a missing model if the engine would start a service.
 */
const openTranscriber = async (
  settings: Settings,
  store: RetainedStore,
  log: Logger,
  metrics: MetricsRow,
): Promise<SpeechTranscriber> => {
  if (!transcribesHere(settings)) {
    return {
      attach: (port) => port.close(),
      wait: () => 0,
      state: () => 'ready',
      stop: async () => undefined,
    };
  }
  const start = transcriptionStarter(settings, log);
  // The engine may start the service, so it checks the service's requirements here and reports missing ones.
  if (start !== undefined)
    await ensureOwnedModel(settings.transcriberModels[0]!, { ...modelOptions(settings), localOnly: true });
  const socket = transcriptionSocket(settings.dataDir);
  const transcriber = startTranscriber({ settings, socket, start, store, log, metrics });
  try {
    await within(transcriber.joined(), joinTimeout, () => log.warn('no transcription service answers yet'));
    return transcriber;
  } catch (thrown) {
    await transcriber.stop();
    throw thrown;
  }
};

interface AdmissionParts {
  readonly settings: Settings;
  readonly table: MetricsTable;
  readonly transcriber: SpeechTranscriber;
  readonly store: RetainedStore;
  readonly clock: DatabaseClock;
  readonly refusesWords: () => boolean;
  readonly isDraining: () => boolean;
}

/**
 * Decides whether new streams are admitted, and whether the engine is ready for them.
 *
 * The lag (ms) is the larger of two values: the lag of the slowest shard, and the time that a new stream would wait for
 * the transcriber. A wait of `transcriberLagBudget` counts as a lag of `lagBudget`, and other waits count in
 * proportion. The long wait of a single user does not count, because new streams do not wait behind it. The lag is
 * infinite if there is no space for untranscribed audio, or if words cannot be acknowledged. A lost shard does not
 * count, because its gauges are cleared.
 */
const admission = (parts: AdmissionParts) => {
  const { settings, table, transcriber, store, clock, refusesWords, isDraining } = parts;
  return {
    lag: (): number =>
      store.full || refusesWords()
        ? Number.POSITIVE_INFINITY
        : Math.max(
            table.largest('shard_lag_milliseconds'),
            (transcriber.wait() * settings.lagBudget) / settings.transcriberLagBudget,
          ),
    ready: (): boolean =>
      !isDraining() &&
      !refusesWords() &&
      clock.isTrusted &&
      !['away', 'unusable'].includes(transcriber.state()) &&
      !store.full,
  };
};

/** Adds the listener's library and the refused builds to the metrics page. */
const describeListener = (page: MetricsServer, { listener, refusedBuilds }: Front): void => {
  page.describe('listener_info', 'The library that listens.', { ...listener });
  const refused = refusedBuilds.map(({ name, why }) => ({ build: name, why }));
  if (refused.length > 0) {
    page.describe('listener_refused_info', 'Builds of a listener that are not used here.', ...refused);
  }
};

/**
 * Opens the connections by which tokens are checked. The connections also serve to compare this machine's clock with
 * the database's clock.
 */
const openIdentity = async (
  settings: Settings,
  metrics: MetricsRow,
  closing: Pick<ClosingOrder<'identity'>, 'add'>,
  log: Logger,
) => {
  const { databaseUrl } = settings;
  const sql = connectIdentity(settings, databaseUrl);
  const verifier = await createTokenVerifier({ settings, databaseUrl, log, sql });
  const onMeasured = (offset: number): void => metrics.set('database_clock_offset_milliseconds', offset);
  const clock = new DatabaseClock({ sql, log, onMeasured });
  await clock.start();
  closing.add('identity', leaveTimeout, () => clock.stop().then(() => sql.end({ timeout: 1 })));
  return { sql, verifier, clock };
};

const startEngine = async (prepared: Prepared, index: number, log: Logger): Promise<Service> => {
  const { settings, engineId, priority, listener } = prepared;
  const { databaseUrl, dataDir } = settings;
  const closing = new ClosingOrder(engineParts, log);
  try {
    await migrate(databaseUrl);
    await checkConnections(settings, log);
    // The row after the shards' rows belongs to the translation thread.
    const translationRow = 1 + shardCount(settings);
    const table = new MetricsTable(translationRow + 1);
    const metrics = table.row(0);
    countLogLosses(metrics);

    const fleet = await openFleet(settings, { engineId, process: index }, metrics, closing, log);
    const { limits, refusesWords } = fleet;
    const { sql, verifier, clock } = await openIdentity(settings, metrics, closing, log);
    const page = await startMetricsServer({
      host: settings.metricsHost,
      port: settings.metricsPort === 0 ? 0 : settings.metricsPort + index,
      table,
      log,
    });
    closing.add('metrics page', leaveTimeout, () => page.close());
    const store = await openRetainedStore({ settings, directory: join(dataDir, 'audio'), log, metrics });
    closing.add('retained audio', leaveTimeout, () => store.close());
    const transcriber = await openTranscriber(settings, store, log, metrics);
    closing.add('transcriber', leaveTimeout, () => {
      // The service may have unanswered requests. Their audio is now retained. There may be more audio than can be
      // encoded in time, so the store writes the rest of it without encoding it.
      store.hurry();
      return transcriber.stop();
    });
    let checkAccounts: Front['checkAccounts'] = async () => undefined;
    const accounts = followAccounts({
      settings,
      engineId,
      sql,
      verifier,
      bus: fleet.bus,
      store,
      checkAccounts: (uid) => checkAccounts(uid),
      log,
    });
    closing.add('completions', leaveTimeout, () => accounts.close());
    const helpers = openShardHelpers(settings, table, translationRow, closing, log);
    const pool = await startEnginePool({
      settings,
      databaseUrl,
      dataDir,
      engineId,
      niceness: priority.niceness,
      clockCorrection: clock.correction,
      metrics: table,
      transcriber,
      ...helpers,
      retained: { attach: (port) => serveRetainer(port, (request, reason) => store.keep(request, reason)) },
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
      ...admission({ settings, table, transcriber, store, clock, refusesWords, isDraining: () => draining }),
      sidecar: { host: settings.sidecarHost, port: settings.sidecarPort },
      log,
      copyFrame: loadFrameCopier(settings.core),
      ...(limits === undefined ? {} : { fleet: limits }),
      ...(listener === undefined ? {} : { listener }),
    });
    closing.add('listener', leaveTimeout, front.close);
    checkAccounts = front.checkAccounts;
    const { port, closeStreams, replaceShard, stopAccepting, drain } = front;
    describeListener(page, front);
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
