import { useRoute } from 'preact-iso/router';
import { ConversationDetail, readConversation } from '../conversations/index.js';
import { ExportConversation } from '../exports/index.js';
import { Heading, Shown, useLoaded, useRepeated } from '../shared/index.js';

/** Interval in ms between two reads of a conversation in progress. */
const pause = 5000;

/** A conversation with its summary and its words. */
export const ConversationPage = () => {
  const { id = '' } = useRoute().params;
  const loaded = useLoaded(id, () => readConversation(id));
  useRepeated(loaded, loaded.value?.status === 'in_progress' ? pause : null);
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
