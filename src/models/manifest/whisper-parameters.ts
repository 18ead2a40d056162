import { manifest } from './manifest.js';
import type { SpeechModel } from './recogniser-schema.js';

/** What the generator of Whisper graphs needs for a model: its parameters, and the size of its weights if known. */
export interface WhisperParameters {
  readonly recogniser: SpeechModel;
  readonly bytes?: number;
}

/** Returns the generator's input, by name of the model. The file with these parameters is JSON. */
export const whisperParameters = (): Record<string, WhisperParameters> =>
  Object.fromEntries(
    manifest.flatMap(({ name, recogniser, files }) => {
      const weights = files.find((file) => file.name === recogniser?.weights.file);
      return recogniser && weights ? [[name, { bytes: weights.bytes, recogniser }]] : [];
    }),
  );

if (process.argv[1] === new URL(import.meta.url).pathname)
  process.stdout.write(`${JSON.stringify(whisperParameters())}\n`);
