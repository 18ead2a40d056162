/** Reads long records, such as a conversation with its segments, with statements of bounded size. */
export { conversationJson, speakerNames, type Tasks, tasksIf } from './conversation-json.js';
export { beginConversation, type ConversationPiece, goOnConversation } from './conversation-pieces.js';
export { listedMeasured, measuredPart } from './measured-rows.js';
export { piece } from './piece.js';
export { leastCounted, saidTexts } from './said-texts.js';
