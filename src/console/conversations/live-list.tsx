import { useEffect, useRef } from 'preact/hooks';
import { type Loaded, recorderOf, timeOf, useLoaded, useRepeated } from '../shared/index.js';
import { type LiveConversation, readLive } from './records.js';

/** Interval in ms between two reads of the conversations in progress. */
const pause = 10_000;
/**
 * Ms after the user's last input at which the repeated requests end. Otherwise they would keep an unused session open.
 */
const unattended = 3_600_000;

/**
 * Reads the conversations in progress, and repeats this while the page is visible and in use.
 * @param onChange called when a conversation has begun or ended since the last answer.
 */
export const useLive = (onChange?: () => void): Loaded<readonly LiveConversation[]> => {
  const live = useLoaded('live', readLive);
  useRepeated(live, pause, unattended);
  const ids = live.value?.map(({ id }) => id).join();
  const known = useRef(ids);
  useEffect(() => {
    if (known.current !== undefined && known.current !== ids) onChange?.();
    known.current = ids;
  }, [ids]);
  return live;
};

/** The conversations in progress, each with a link. */
export const LiveList = ({ conversations }: { conversations: readonly LiveConversation[] }) => (
  <ul class="list">
    {conversations.map(({ id, source, started_at }) => (
      <li key={id}>
        <a href={`/console/conversations/${id}`}>Conversation in progress</a>{' '}
        <span class="small">
          recorded by {recorderOf(source)}
          {started_at !== null && ` since ${timeOf(started_at)}`}
        </span>
      </li>
    ))}
  </ul>
);
