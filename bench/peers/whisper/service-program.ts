import { fileURLToPath } from 'node:url';
import { runTranscriber } from '../../../src/app/services/transcription-process.js';
import { loadSettings } from '../../../src/config/load-settings.js';

/** The transcription service of the product, whose processes decode with faster-whisper. */
await runTranscriber(
  loadSettings().values,
  false,
  fileURLToPath(new URL('./decoder-process.js', import.meta.url)),
);
