/** Fields of records, for the options and columns of the command line. This module loads no package. */
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
  userSettingsRecord,
} from './declarations.js';
