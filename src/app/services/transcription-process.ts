import { dirname } from 'node:path';
import { deferred } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { dataDirectory } from '../../config/process/index.js';
import { CochleaError } from '../../errors/index.js';
import { createLogger, type Logger } from '../../log/index.js';
import { installedModels, modelOptions, modelsDirectory } from '../../models/index.js';
import { startTranscriptionService } from '../../stt/service/index.js';
import { ensureOwnedModel } from '../models/index.js';
import { makeDataDirectory } from '../privileges/index.js';
import { closingBound, type Service, serve, takeDataLock } from '../process/index.js';
import { transcriptionSocket } from './join-transcription.js';
import { leaveRoot } from './run-as.js';

/** Number of ms that the previous service may take to close. */
const predecessorTimeout = 5000;
/** Number of ms without a client after which a service with `whileUsed` ends. */
const unusedTimeout = 5000;

/**
 * Runs the transcription service of this machine in this process until it must stop. A service started by root first
 * drops its privileges.
 * @param whileUsed whether the service ends some seconds after its last client has left. Such a service also exits
 *   without an error if another service already runs.
 * @param module module of the decoding processes; only measurements replace it.
 */
export const runTranscriber = async (given: Settings, whileUsed: boolean, module?: string): Promise<void> => {
  const log = createLogger('transcriber', given);
  try {
    await serve(() => start(given, whileUsed, log, module), log, closingBound(given));
  } catch (thrown) {
    // Another process has started a service at the same time. All clients use the service of that process, so this
    // process ends without an error.
    if (!whileUsed || !(thrown instanceof CochleaError) || thrown.code !== 'already_running') throw thrown;
    log.debug('another transcription service runs already');
  }
};

/**
 * Copies the models from the operator's folder. It is no error if further models are missing, because the service uses
 * them as soon as they arrive.
 * @throws CochleaError `model_missing` if the first model is missing.
 */
const provideLocally = async (settings: Settings, log: Logger): Promise<void> => {
  const options = { ...modelOptions(settings), localOnly: true };
  const [first, ...further] = settings.transcriberModels;
  await ensureOwnedModel(first!, options);
  for (const name of further)
    await ensureOwnedModel(name, options).catch(() =>
      log.info({ model: name }, 'a further speech model is not on this machine'),
    );
};

const start = async (
  given: Settings,
  whileUsed: boolean,
  log: Logger,
  module: string | undefined,
): Promise<Service> => {
  const settings = { ...given, dataDir: dataDirectory(given) };
  await makeDataDirectory(settings.dataDir);
  await leaveRoot(settings, log);
  // Copies model files from the operator's folder, and does not download any. Only set-up, `up` and `models pull`
  // download.
  await provideLocally(settings, log);
  const socket = transcriptionSocket(settings.dataDir);
  // The process holds the lock until it ends. Only the holder may replace a socket file that another process left
  // behind.
  await makeDataDirectory(dirname(socket));
  await takeDataLock(dirname(socket), 'transcriber', whileUsed ? 0 : predecessorTimeout);
  const { promise: finished, resolve: leave } = deferred();
  let idle: NodeJS.Timeout | undefined;
  const waitForClients = (): void => {
    clearTimeout(idle);
    if (whileUsed) idle = setTimeout(() => (service.clients === 0 ? leave() : undefined), unusedTimeout);
  };
  const service = await startTranscriptionService({
    settings,
    modelsDir: modelsDirectory(settings),
    models: installedModels(settings),
    socket,
    log,
    module,
    unused: waitForClients,
  });
  waitForClients();
  log.info({ socket }, 'transcription service is ready');
  return {
    // The service has no port. It listens on a socket in the data folder.
    port: 0,
    finished,
    close: () => {
      clearTimeout(idle);
      return service.close();
    },
  };
};
