/** The audio core in TypeScript, for systems without a build of the native one. */
export { melSpectrogram } from './mel.js';
export { cosineTopK, type Neighbour } from './similarity.js';
