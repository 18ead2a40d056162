export { judgeProposal, lockConversationId, type OpenRow, openColumns } from './judge-proposal.js';
