import { fileURLToPath } from 'node:url';
import { runTranscriber } from '../../../src/app/services/transcription-process.js';
import { loadSettings } from '../../../src/config/load-settings.js';

/** Runs the product's transcription service with faster-whisper in its decoder processes. */
await runTranscriber(
  loadSettings().values,
  false,
  fileURLToPath(new URL('./decoder-process.js', import.meta.url)),
);
