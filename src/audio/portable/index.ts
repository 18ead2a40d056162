/** The audio core in TypeScript, for systems that have no build of the native core. */
export { melSpectrogram } from './mel.js';
export { cosineTopK, type Neighbour } from './similarity.js';
