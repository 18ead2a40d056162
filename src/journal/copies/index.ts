/** Copies of spilled entries in a stream of the bus: shards make them, the main thread sends them, sidecars replay them. */
export { Acknowledger, type JournalCopies } from './acknowledger.js';
export {
  type CopyBus,
  type CopyChannel,
  type CopyFeed,
  openCopyChannel,
  startCopyFeed,
} from './copy-channel.js';
export { holderOfJournal, journalName } from './journal-name.js';
export { createOpener, createSealer, type OpenedCopy } from './seal.js';
