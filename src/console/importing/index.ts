/** Imports audio files one after another: sending, progress, result. Uses no part of a page. */

export { localTime, sizeIn } from './file-facts.js';
export {
  type Accepted,
  type ImportedAudio,
  type ImportItem,
  ImportQueue,
  type ImportState,
  type Progress,
  type Transport,
} from './import-queue.js';
