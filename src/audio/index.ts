export { type Analysis, loadAnalysis, melBands, melFrames } from './analysis.js';
export { loadFrameCopier } from './frame-copier.js';
export * from './interface/core.js';
export { coreOptions } from './interface/options.js';
export { coreWarning, loadCore } from './load.js';
export { addPinkNoise } from './pink-noise.js';
export { raiseThreadPriority } from './thread-priority.js';
