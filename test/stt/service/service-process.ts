/** Runs a transcription service in its own process. Prints the id of its decoder process when it is ready. */
import { join } from 'node:path';
import { createLogger } from '../../../src/log/logger.js';
import { connectTranscription } from '../../../src/stt/service/connect.js';
import { startTranscriptionService } from '../../../src/stt/service/server.js';
import { lineSettings, stubModels } from './line.js';

const log = createLogger('transcriber', 'silent');
const socket = join(process.argv[3]!, 'transcriber', 'socket');
await startTranscriptionService({
  settings: lineSettings,
  models: stubModels(lineSettings.transcriberModels),
  modelsDir: process.argv[2]!,
  socket,
  log,
});
connectTranscription({
  socket,
  log,
  status: ({ state, decoder }) => {
    // While a decoder process starts, its id is 0.
    if (state === 'ready' && decoder > 0) process.stdout.write(`${decoder}\n`);
  },
});
