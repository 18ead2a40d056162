import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { connectionPlan, type Settings } from '../config/index.js';
import { describesPhotos } from '../config/lists/index.js';
import { listenError } from '../errors/index.js';
import { createTokenVerifier } from '../identity/index.js';
import { createLanguageModel, modelOptions } from '../llm/index.js';
import { type PipelineOptions, startPipeline } from '../pipeline/index.js';
import { photoWorkers } from '../pipeline/photos/index.js';
import { createStepMetrics } from '../pipeline/work/index.js';
import { tokenBudget } from '../service/rules/index.js';
import { startSearch } from '../service/search/index.js';
import { createTextThread } from '../service/text/index.js';
import type { EnrolmentWork, VoiceWork } from '../service/voice/index.js';
import { toolStreamChannel } from '../store/accounts/index.js';
import { connectDatabase, type Sql } from '../store/client/index.js';
import { DatabaseClock, type ProcessClocks } from '../store/clock/index.js';
import { createApp } from './app.js';
import type { ToolStreams } from './mcp/streams/index.js';
import {
  createClockMetric,
  createCopyMetrics,
  createVoiceMetrics,
  type SpillCopyCounts,
  startMetricsPage,
} from './metrics/index.js';

/** Options of a sidecar. The caller keeps ownership of the objects and closes them. */
export interface SidecarOptions
  extends Pick<
    PipelineOptions,
    'settings' | 'databaseUrl' | 'log' | 'retained' | 'recordings' | 'photos' | 'bus'
  > {
  /** Transcribes voice messages. Absent or null if this process cannot transcribe them. */
  readonly voice?: VoiceWork | null;
  /** Makes voice profiles. Absent or null if voice recognition is off. */
  readonly enrolment?: EnrolmentWork | null;
  /**
   * Counts of spill copies (`SpillCopyCounts`), for the metrics page. Absent or null if this process does not write
   * such copies to the database.
   */
  readonly copies?: SpillCopyCounts | null;
  /** Clocks of the machine. For tests. */
  readonly clocks?: Partial<ProcessClocks>;
  /** Whether an answer that its route does not declare is replaced by status 500. For tests. */
  readonly checkAnswers?: boolean;
}

export interface Sidecar {
  readonly port: number;
  /** Waits at most `settings.drainTimeout` ms for running requests, then ends the jobs and closes the database connections. */
  close(): Promise<void>;
}

const listen = async (app: FastifyInstance, settings: Settings): Promise<number> => {
  const { sidecarHost: host, sidecarPort: port } = settings;
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenError(error, { port, host, setting: 'SIDECAR_PORT' });
  }
  return (app.server.address() as AddressInfo).port;
};

const closeApp = async (app: FastifyInstance, timeout: number): Promise<void> => {
  // Connections of requests that exceed the timeout are closed. The client sees a reset and repeats the request.
  const timer = setTimeout(() => app.server.closeAllConnections(), timeout);
  await app.close();
  clearTimeout(timer);
};

/** Opens the database connections of the REST API. */
const connectSidecar = ({ settings, databaseUrl, log, bus }: SidecarOptions): Sql =>
  connectDatabase(databaseUrl, {
    max: connectionPlan(settings).rest,
    timeoutMs: settings.databaseTimeout,
    // Longer than a request's timeout, so that the client gets the timeout error and not the error of a cancelled statement.
    statementTimeoutMs: settings.requestTimeout + 500,
    lockTimeoutMs: Math.ceil(settings.requestTimeout / 3),
    name: 'sidecar',
    announcer: bus ?? undefined,
    ...(settings.slowStatement > 0 && {
      slow: {
        longerThan: settings.slowStatement,
        report: (statement, milliseconds) => log.warn({ statement, milliseconds }, 'slow statement'),
      },
    }),
  });

/** Creates separate clients of the language model for texts and for images. A client is null if it is not configured. */
const createModels = (settings: Settings, sql: Sql) => {
  const llm = modelOptions(settings);
  const model = llm && createLanguageModel(llm, { budget: tokenBudget(sql, settings.llmDailyTokens) });
  const photoModel =
    llm && describesPhotos(settings)
      ? createLanguageModel(
          { ...llm, concurrency: photoWorkers },
          { budget: tokenBudget(sql, settings.llmDailyTokens) },
        )
      : null;
  return { model, photoModel };
};

/**
 * Starts the REST API and the jobs for finished conversations. While the database is unreachable, at the start or later, requests and
 * `/health/ready` answer 503.
 * @throws CochleaError `port_taken`, `setting_invalid`, `file_unreadable`
 */
export const startSidecar = async (options: SidecarOptions): Promise<Sidecar> => {
  const { settings, databaseUrl, log } = options;
  const sql = connectSidecar(options);
  const verifier = await createTokenVerifier({ settings, databaseUrl, log });
  const search = startSearch({ settings, sql, log });
  const { model, photoModel } = createModels(settings, sql);
  const texts = createTextThread({ log });
  let queueReady = (): boolean => false;
  const metrics = createStepMetrics(sql);
  const onMeasured = createClockMetric(metrics.registry);
  if (options.copies) createCopyMetrics(metrics.registry, options.copies);
  const clock = new DatabaseClock({ sql, log, ...options.clocks, onMeasured });
  await clock.start();
  let toolStreams: ToolStreams | undefined;
  const app = await createApp({
    settings,
    sql,
    verifier,
    rules: texts.rules,
    readJson: texts.readJson,
    search,
    model,
    queueReady: () => queueReady(),
    clock,
    recordings: options.recordings ?? null,
    voice: options.voice ?? null,
    enrolment: options.enrolment ?? null,
    voiceMetrics: createVoiceMetrics(metrics.registry),
    photos: options.photos ?? null,
    log,
    onToolStreams: (streams) => {
      toolStreams = streams;
    },
    checkAnswers: options.checkAnswers,
  });
  const closeStores = async (): Promise<void> => {
    await clock.stop();
    await texts.close();
    await search.close();
    await verifier.close();
    await sql.end({ timeout: 2 });
  };
  let port: number;
  let closeMetricsPage = async (): Promise<void> => undefined;
  try {
    closeMetricsPage = await startMetricsPage(settings, metrics, log);
    port = await listen(app, settings);
  } catch (error) {
    await app.close();
    await closeMetricsPage();
    await closeStores();
    throw error;
  }
  const pipeline = startPipeline({
    settings,
    databaseUrl,
    log,
    rules: texts.rules,
    model,
    photoModel,
    search,
    metrics,
    retained: options.retained ?? null,
    recordings: options.recordings ?? null,
    photos: options.photos ?? null,
    bus: options.bus ?? null,
    alsoListen: { channel: toolStreamChannel, news: (sidecar) => toolStreams?.told(sidecar) },
  });
  queueReady = pipeline.ready;
  let closed: Promise<void> | undefined;
  return {
    port,
    close() {
      closed ??= (async () => {
        await Promise.all([closeApp(app, settings.drainTimeout), pipeline.close(settings.drainTimeout)]);
        await closeMetricsPage();
        await closeStores();
      })();
      return closed;
    },
  };
};
