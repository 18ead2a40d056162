/** Declarations of records for the command line. This module loads no package. */
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
} from './declarations.js';
