import {
  ConversationList,
  LiveList,
  NoConversation,
  readConversations,
  useLive,
} from '../conversations/index.js';
import { Heading, Shown, useLoaded } from '../shared/index.js';

/** The first page: conversations in progress, and the newest finished conversations. */
export const Today = () => {
  const newest = useLoaded('newest', () => readConversations(5, null));
  const live = useLive(newest.reload);
  return (
    <>
      <Heading>Today</Heading>
      <section aria-labelledby="now">
        <h2 id="now">Live now</h2>
        <Shown
          loaded={live}
          isEmpty={(list) => list.length === 0}
          empty={
            <p>
              Nothing is being recorded. <a href="/console/live">Start recording</a>
            </p>
          }
        >
          {(list) => <LiveList conversations={list} />}
        </Shown>
      </section>
      <section aria-labelledby="last">
        <h2 id="last">Last conversations</h2>
        <Shown loaded={newest} isEmpty={(part) => part.conversations.length === 0} empty={<NoConversation />}>
          {(part) => <ConversationList conversations={part.conversations} />}
        </Shown>
      </section>
    </>
  );
};
