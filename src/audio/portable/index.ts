export { melSpectrogram } from './mel.js';
export { cosineTopK, type Neighbour } from './similarity.js';
