/** The interface that the native and the portable audio core implement. */
export {
  type AudioBudget,
  type AudioCore,
  batchStride,
  type CoreCapabilities,
  CoreEvent,
  type CoreEventKind,
  type CoreOptions,
  coreRate,
  defaultAudioChunk,
  eventStride,
  type GateOptions,
  lc3Rates,
  opusRates,
  type StreamStatus,
  type Utterance,
  windowSamples,
} from './core.js';
export { baseCodecs, checkFormat } from './format.js';
