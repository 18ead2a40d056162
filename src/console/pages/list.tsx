import { timeOf } from '../shared/index.js';
import { type Conversation, titleOf } from './records.js';

/** A list of conversations with links. */
export const ConversationList = ({ conversations }: { conversations: readonly Conversation[] }) => (
  <ul class="list">
    {conversations.map((conversation) => (
      <li key={conversation.id}>
        <a href={`/console/conversations/${conversation.id}`}>
          <bdi>{titleOf(conversation)}</bdi>
        </a>
        {conversation.starred && (
          <span>
            {' '}
            ★<span class="unseen">starred</span>
          </span>
        )}
        <span class="small"> {timeOf(conversation.started_at)}</span>
      </li>
    ))}
  </ul>
);

/** What to do when there is no conversation. */
export const NoConversation = () => (
  <p>
    There are no conversations yet. <a href="/console/live">Record one</a>
  </p>
);
