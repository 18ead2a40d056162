/**
 * Runs the product's transcription service, as `cochlea transcriber` does and with the same settings. Its decoder
 * processes read tokens instead of speech.
 */
import { fileURLToPath } from 'node:url';
import { runTranscriber } from '../../src/app/services/transcription-process.js';
import { loadSettings } from '../../src/config/load-settings.js';

await runTranscriber(
  loadSettings().values,
  false,
  fileURLToPath(new URL('./decoder-process.js', import.meta.url)),
);
