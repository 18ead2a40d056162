import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { connectionLine, loadSettings, type Settings } from '../../config/index.js';
import { describesPhotos, parseStepModels } from '../../config/lists/index.js';
import { dataDirectory, packageDirectory } from '../../config/process/index.js';
import { CochleaError, listenError } from '../../errors/index.js';
import { createLogger } from '../../log/index.js';
import { modelsDirectory, requireModel } from '../../models/index.js';
import { onConnection } from '../../store/client/index.js';
import { requireConnections } from '../database/index.js';
import {
  describeDataFolder,
  describeFreeSpace,
  describeFutureDatabase,
  findDataFolder,
} from '../doctor/index.js';
import { wantedModels } from '../models/index.js';
import { hasDatabase, readRunState, startEmbeddedPostgres } from '../postgres/index.js';
import { namedAccount } from '../privileges/index.js';
import { action, type JsonOption, lineOf, print } from '../process/index.js';
import { checkBusCredentials, checkTlsFiles } from '../services/index.js';

/** Result of one check. */
interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** The result of the check, or the problem and its remedy. */
  readonly finding: string;
}

const checkNode = async (): Promise<string> => {
  // Set-up checks the version of Node before it compiles anything, so the rule is in an uncompiled module.
  const path = join(packageDirectory(), 'src', 'app', 'setup', 'node-version.mjs');
  const rule = (await import(pathToFileURL(path).href)) as { nodeSupported(version: string): boolean };
  if (!rule.nodeSupported(process.version))
    throw new CochleaError('node_unsupported', { found: process.version });
  return process.version;
};

const checkModels = async (settings: Settings): Promise<string> => {
  const names = wantedModels(settings);
  for (const name of names) await requireModel(name, modelsDirectory(settings));
  return names.join(', ');
};

const checkDatabase = async (settings: Settings, runningUrl: string | undefined): Promise<string> => {
  /**
   * Connects to a database and describes it.
   * @param compare whether to check the server's connection limit. It need not be checked for an embedded server that
   * this process started.
   */
  const look = (url: string, kind: string, compare: boolean): Promise<string> =>
    onConnection(url, { timeoutMs: 5000, name: 'doctor' }, async (sql) => {
      const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
      const found = `PostgreSQL ${row!.version}${kind}; ${connectionLine(settings)}`;
      if (!compare) return found;
      const { allowed, others } = await requireConnections(settings, sql);
      return `${found} of ${allowed}, with ${others} held by other programs`;
    });
  if (settings.databaseUrl !== '') return look(settings.databaseUrl, '', true);
  if (runningUrl) return look(runningUrl, ', running', true);
  const dataDir = dataDirectory(settings);
  if (!(await hasDatabase(dataDir))) {
    return `${await describeFutureDatabase(await findDataFolder(dataDir))}; ${connectionLine(settings)}`;
  }
  const embedded = await startEmbeddedPostgres({ dataDir, log: createLogger('postgres', 'silent') });
  try {
    return await look(embedded.url, ', embedded', false);
  } finally {
    await embedded.stop();
  }
};

const checkPort = (host: string, port: number, setting: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => reject(listenError(error, { port, host, setting })));
    server.listen({ host, port, exclusive: true }, () =>
      server.close(() => resolve(`${host}:${port} is free`)),
    );
  });

const checkListener = async (settings: Settings): Promise<string> => {
  // This module is imported only here, because it loads both listeners and would slow the start of other commands.
  const { chooseListener } = await import('../../front/choose-listener.js');
  const { uws, why } = await chooseListener(settings, createLogger('doctor', 'silent'));
  return `${uws === null ? 'ws on node:http' : uws.name}: ${why}`;
};

const checkTls = async (settings: Settings): Promise<string> => {
  await checkTlsFiles(settings, createLogger('doctor', 'silent'));
  if (settings.tlsCert !== '') return settings.tlsCert;
  return settings.tlsProxy ? 'a proxy speaks TLS' : 'plain, on this machine only';
};

const checkLanguageModel = async (settings: Settings): Promise<string> => {
  // The code for language models is imported only here, so that other commands start without it.
  const { modelOptions, probeModel } = await import('../../llm/index.js');
  const options = modelOptions(settings);
  if (options === null) return 'none (LLM_BASE_URL): built-in rules';
  await probeModel(options);
  return `${[...new Set(Object.values(options.models))].join(', ')} at ${options.baseUrl}, which answers`;
};

/** Findings about the translator, by its name in `TRANSLATOR`. */
const translationChecks: Readonly<Record<Settings['translator'], (settings: Settings) => Promise<string>>> = {
  off: async () => 'none (TRANSLATOR)',
  llm: async () => 'by the language model',
  libretranslate: async ({ libretranslateUrl }) => {
    const { probeLibreTranslate } = await import('../../translation/probe-libre.js');
    await probeLibreTranslate(libretranslateUrl);
    return `LibreTranslate at ${libretranslateUrl}, which answers`;
  },
};

const checkTheBus = async (settings: Settings): Promise<string> => {
  if (settings.natsUrl === '') return 'none (NATS_URL): events travel through the database';
  await checkBusCredentials(settings);
  // NATS code is imported only here, so that it is not loaded without NATS_URL.
  const { checkBus } = await import('../../bus/nats/check-bus.js');
  return checkBus(settings);
};

const checkImages = async (settings: Settings): Promise<string> => {
  const model = describesPhotos(settings) && parseStepModels(settings.llmStepModels).get('photo');
  return model ? `described by ${model}` : 'not described (LLM_STEP_MODELS names no model for photo)';
};

const checkAccount = async (settings: Settings): Promise<string> => {
  if (settings.runAs === '' || settings.runAs === 'root') return settings.runAs || 'the default';
  const { uid, gid } = await namedAccount(settings.runAs);
  return `${settings.runAs} (${uid}:${gid})`;
};

const checkFfmpeg = async ({ ffmpeg }: Settings): Promise<string> => {
  const { findProgram } = await import('../../audio/files/container-decoder.js');
  const path = await findProgram(ffmpeg);
  if (path === null)
    return 'not there: audio files of other forms than WAV of PCM and Ogg Opus are refused; install ffmpeg, or name it in FFMPEG';
  const { findSandbox } = await import('../../audio/files/sandbox.js');
  const { kind } = await findSandbox(path);
  return kind === 'none'
    ? `${path}, without a sandbox: install bubblewrap, on a kernel that lets this user make namespaces`
    : `${path}, in a sandbox of ${kind}`;
};

const examine = async (settings: Settings): Promise<Check[]> => {
  const dataDir = dataDirectory(settings);
  const running = await readRunState(dataDir);
  const port = (host: string, number: number, setting: string) => async (): Promise<string> =>
    running
      ? `${host}:${number}, in use by the running process ${running.pid}`
      : checkPort(host, number, setting);
  const checks: readonly (readonly [string, () => Promise<string>])[] = [
    ['node', checkNode],
    // The inference runtime is imported only here, so that other commands start without it.
    ['core', async () => (await import('../doctor/probe-core.js')).probeCore(settings)],
    ['ffmpeg', () => checkFfmpeg(settings)],
    ['models', () => checkModels(settings)],
    ['language model', () => checkLanguageModel(settings)],
    ['translation', () => translationChecks[settings.translator](settings)],
    ['images', () => checkImages(settings)],
    ['data folder', async () => describeDataFolder(await findDataFolder(dataDir))],
    ['disk', async () => describeFreeSpace(await findDataFolder(dataDir))],
    ['listener', () => checkListener(settings)],
    ['TLS', () => checkTls(settings)],
    ['RUN_AS', () => checkAccount(settings)],
    ['database', () => checkDatabase(settings, running?.databaseUrl)],
    ['bus', () => checkTheBus(settings)],
    ['port', port(settings.host, settings.port, 'PORT')],
    ['sidecar port', port(settings.sidecarHost, settings.sidecarPort, 'SIDECAR_PORT')],
    ['metrics port', port(settings.metricsHost, settings.metricsPort, 'METRICS_PORT')],
  ];
  const results: Check[] = [];
  for (const [name, check] of checks) {
    try {
      results.push({ name, ok: true, finding: await check() });
    } catch (error) {
      results.push({ name, ok: false, finding: lineOf(error) });
    }
  }
  return results;
};

const run = async (options: JsonOption): Promise<void> => {
  const checks = await examine(loadSettings().values);
  const lines = checks.map(({ name, ok, finding }) => `${ok ? 'ok ' : 'BAD'}  ${name.padEnd(14)} ${finding}`);
  print(options, checks, lines);
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
};

export const doctorCommand = (): Command =>
  new Command('doctor')
    .description('check whether the engine can run here, and print remedies; creates nothing')
    .option('--json', 'print one JSON array')
    .addHelpText(
      'after',
      `
It uses the settings of this shell. An existing embedded database that is stopped runs during the check.

Examples:
  $ cochlea doctor
  $ COCHLEA_CORE=native cochlea doctor --json`,
    )
    .action(action(run));
