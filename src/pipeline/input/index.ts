/** Builds the input of pipeline steps: the conversation, its transcript as text, instructions for a model. */
export {
  type ConversationInput,
  inputOf,
  type Owner,
  ownerOf,
  readStored,
  type StoredInput,
} from './conversation.js';
export { dataWith, languageRule, ownerRule, quoted, timeRule } from './instructions.js';
export { shortened } from './transcript-text.js';
