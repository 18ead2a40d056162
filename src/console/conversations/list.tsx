import { timeOf } from '../shared/index.js';
import { type Conversation, titleOf } from './records.js';

/** The ids of the selected conversations, and the function that adds a conversation to them or removes it. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
}

/** A list of conversations with links. @param selection if given, each conversation has a box that selects it */
export const ConversationList = ({
  conversations,
  selection,
}: {
  conversations: readonly Conversation[];
  selection?: Selection;
}) => (
  <ul class="list">
    {conversations.map((conversation) => (
      <li key={conversation.id}>
        {selection && (
          <label class="pick">
            <input
              type="checkbox"
              aria-label={`Select ${titleOf(conversation)}`}
              checked={selection.ids.has(conversation.id)}
              onChange={() => selection.toggle(conversation.id)}
            />
          </label>
        )}
        <a href={`/console/conversations/${conversation.id}`}>
          <bdi>{titleOf(conversation)}</bdi>
        </a>
        {conversation.starred && (
          <span>
            {' '}
            ★<span class="unseen">starred</span>
          </span>
        )}{' '}
        <span class="small whole">{timeOf(conversation.started_at)}</span>
      </li>
    ))}
  </ul>
);

/** Tells the user what to do if there is no conversation yet. */
export const NoConversation = () => (
  <p>
    There are no conversations yet. <a href="/console/live">Record one</a>
  </p>
);
