import { timeOf } from '../shared/index.js';
import type { LiveConversation } from './records.js';

/** The conversations in progress, each with a link. */
export const LiveList = ({ conversations }: { conversations: readonly LiveConversation[] }) => (
  <ul class="list">
    {conversations.map(({ id, source, started_at }) => (
      <li key={id}>
        <a href={`/console/conversations/${id}`}>Conversation in progress</a>{' '}
        <span class="small">
          recorded by <bdi>{source}</bdi>
          {started_at !== null && ` since ${timeOf(started_at)}`}
        </span>
      </li>
    ))}
  </ul>
);
