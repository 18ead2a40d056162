/** Decides whether a stream may use the conversation id that its client proposes. */
export { judgeProposal, lockConversationId, type OpenRow, openColumns } from './judge-proposal.js';
