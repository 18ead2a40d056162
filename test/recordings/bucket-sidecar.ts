/**
 * A sidecar that accepts recordings into a bucket: `node bucket-sidecar.js DATABASE_URL`. The environment has the settings of the
 * bucket. It transcribes nothing. Prints its port.
 */
import { createRecordingDecoder } from '../../src/audio/recording/recording-decoder.js';
import { createLogger } from '../../src/log/logger.js';
import { openRecordingObjects } from '../../src/service/recordings/recording-objects.js';
import { startSidecar } from '../../src/sidecar/start-sidecar.js';
import { bucketObjects } from '../../src/stt/storage/bucket-objects.js';
import { testSettings } from '../sidecar/support.js';

const { BUCKET_URL = '', BUCKET_ACCESS_KEY = '', BUCKET_SECRET_KEY = '' } = process.env;
const settings = testSettings({ BUCKET_URL, BUCKET_ACCESS_KEY, BUCKET_SECRET_KEY });
const log = createLogger('test', 'silent');
const sidecar = await startSidecar({
  settings,
  databaseUrl: process.argv[2]!,
  log,
  recordings: {
    files: openRecordingObjects(bucketObjects(settings, 'recordings'), undefined, log),
    moveEarlier: null,
    decoder: createRecordingDecoder(settings, settings.recordingLength),
    speakerLanguages: () => ['en'],
    transcription: {
      transcribe: async () => ({
        outcome: 'config_error',
        text: '',
        provider: 'local',
        waited: 0,
        decoded: 0,
      }),
      close: async () => undefined,
    },
  },
});
process.stdout.write(`${sidecar.port}\n`);
