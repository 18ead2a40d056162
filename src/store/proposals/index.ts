export {
  judgeProposal,
  lockConversationId,
  type OpenRow,
  openColumns,
  type Proposal,
} from './judge-proposal.js';
export { conversationReferences, shownReferences } from './references.js';
