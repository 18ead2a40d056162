import { useEffect, useRef } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { ConversationDetail, readConversation } from '../conversations/index.js';
import { ExportConversation } from '../exports/index.js';
import { Heading, Shown, useLoaded } from '../shared/index.js';

/** How often a conversation in progress is read again, in ms. */
const pause = 5000;

/** Reads a conversation again and again while it is in progress and the page is visible. */
const useNewWords = (goesOn: boolean, loading: boolean, reload: () => void): void => {
  const latest = useRef({ loading, reload });
  latest.current = { loading, reload };
  useEffect(() => {
    if (!goesOn) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !latest.current.loading) latest.current.reload();
    }, pause);
    return () => clearInterval(timer);
  }, [goesOn]);
};

/** A conversation with its summary and its words. */
export const ConversationPage = () => {
  const { id = '' } = useRoute().params;
  const loaded = useLoaded(id, () => readConversation(id));
  useNewWords(loaded.value?.status === 'in_progress', loaded.loading, loaded.reload);
  return (
    <>
      <p class="row">
        <a href="/console/conversations">All conversations</a>
        <button type="button" class="plain" onClick={loaded.reload}>
          Read again
        </button>
        <ExportConversation id={id} />
      </p>
      {loaded.value === null && <Heading>Conversation</Heading>}
      <Shown loaded={loaded}>
        {(conversation) => <ConversationDetail key={conversation.id} conversation={conversation} />}
      </Shown>
    </>
  );
};
