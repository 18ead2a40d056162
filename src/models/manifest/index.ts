/** The list of all models: their files, hashes, sources, licences and parameters. */
export { manifest } from './manifest.js';
export type { SpeechModel } from './recogniser-schema.js';
export type { ModelEntry, ModelFile } from './schema.js';
export type { FilePart, ModelSource, SingleSource } from './sources.js';
