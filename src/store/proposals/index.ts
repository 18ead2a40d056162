/** Judges conversation ids that clients propose. */
export { judgeProposal, lockConversationId, type OpenRow, openColumns } from './judge-proposal.js';
