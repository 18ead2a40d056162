/** The interface of the bus, its channels and their subjects, and the permissions of each role. */
export type { Bus, BusIdentity, BusTraffic } from './bus.js';
export { type BusChannel, type BusRole, busChannels, ownSubject, readSubjects } from './channels.js';
export {
  bucketSubjects,
  messageSubject,
  messagesTo,
  nodeBucket,
  nodeIdOf,
  nodeKey,
  nodeStream,
  nodeSubject,
  nodeSubjects,
  nodeValue,
  readMessageSubject,
  readNodeValue,
} from './nodes.js';
export { type BusUser, inboxOf, permissionsOf, serverAccounts } from './permissions.js';
export type { CopiedJournals, CopyReader, CopyWriter, StoredCopy } from './spill-copies.js';
export {
  canarySubject,
  canarySubjects,
  copySubject,
  journalOfSubject,
  spillStream,
  spillSubjects,
} from './spill-subjects.js';
