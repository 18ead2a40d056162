/** Decides whether a stream may use the conversation id that its client proposes. */
export {
  judgeProposal,
  lockConversationId,
  type OpenRow,
  openColumns,
  type Proposal,
} from './judge-proposal.js';
