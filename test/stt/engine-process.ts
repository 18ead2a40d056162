/** An engine reduced to its transcriber; prints the transcriber's process id when it is ready. */
import { createLogger } from '../../src/log/index.js';
import { MetricsTable } from '../../src/metrics/index.js';
import { startTranscriber } from '../../src/stt/index.js';

const transcriber = await startTranscriber({
  settings: {
    sttModel: 'whisper-tiny.en',
    transcriberConcurrency: 1,
    transcriberQueue: 1000,
    transcriberUserQueue: 1000,
    transcriberStreamQueue: 1000,
    transcriberTimeout: 30_000,
    retainedSize: 1e9,
    retainedUserSize: 1e8,
  },
  modelsDir: process.argv[2]!,
  retainDir: process.argv[3]!,
  log: createLogger('engine', 'silent'),
  metrics: new MetricsTable(1).row(0),
});
await transcriber.ready();
process.stdout.write(`${transcriber.pid()}\n`);
