/** The audio core in TypeScript, for systems without a build of the native core. */
export { melSpectrogram } from './mel.js';
export { cosineTopK, type Neighbour } from './similarity.js';
