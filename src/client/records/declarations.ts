/** The command line imports nothing but the client, so the client passes declarations on. */
export {
  actionItemRecord,
  type CommandLine,
  conversationRecord,
  type Field,
  fieldsOf,
  folderRecord,
  goalRecord,
  memoryBounds,
  memoryRecord,
  type RecordDeclaration,
} from '../../wire/records/index.js';
