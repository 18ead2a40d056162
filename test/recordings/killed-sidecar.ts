/**
 * A sidecar that accepts recordings into a folder and kills itself at MOMENT: `node killed-sidecar.js URL FOLDER MOMENT`. MOMENT is
 * `transcribing`, `transcribed` or `never`. Prints its port.
 */
import { createRecordingDecoder } from '../../src/audio/recording/recording-decoder.js';
import { createLogger } from '../../src/log/logger.js';
import { openRecordingFiles } from '../../src/service/recordings/recording-files.js';
import { startSidecar } from '../../src/sidecar/start-sidecar.js';
import { testSettings } from '../sidecar/support.js';

const [url, folder, moment] = process.argv.slice(2);
const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('killed');
};
const settings = testSettings({ SWEEP_INTERVAL: '200' });
const kept = await openRecordingFiles(folder!, undefined);
let asked = 0;
const sidecar = await startSidecar({
  settings,
  databaseUrl: url!,
  log: createLogger('test', 'silent'),
  recordings: {
    // The words of the recording are already stored when its file is removed.
    files: moment === 'transcribed' ? { ...kept, place: kept.place, remove: async () => die() } : kept,
    moveEarlier: null,
    decoder: createRecordingDecoder(settings, settings.recordingLength),
    speakerLanguages: () => ['en'],
    transcription: {
      transcribe: async () => {
        if (++asked === 2 && moment === 'transcribing') die();
        return { outcome: 'success', text: `Words ${asked}.`, provider: 'local', waited: 0, decoded: 0 };
      },
      close: async () => undefined,
    },
  },
});
process.stdout.write(`${sidecar.port}\n`);
