import { useEffect, useMemo, useState } from 'preact/hooks';
import { Memories, Photos, Summary, Tasks } from './found-things.js';
import { ConversationHead } from './head.js';
import type { Conversation } from './records.js';
import { Tabs } from './tabs.js';
import { Timeline } from './timeline.js';
import { Transcript } from './transcript.js';
import { TranscriptState } from './transcript-state.js';

/**
 * Shows a conversation: its title and properties, its speakers, its transcript, and the records that were found in it.
 */
export const ConversationDetail = ({ conversation: given }: { conversation: Conversation }) => {
  const [conversation, setConversation] = useState(given);
  const { id, status } = given;
  const goesOn = status === 'in_progress';
  const state = useMemo(() => new TranscriptState(id), [id]);
  useEffect(() => setConversation(given), [given]);
  useEffect(() => {
    void (goesOn && state.complete.peek() ? state.refresh() : state.read());
    return () => state.close();
  }, [state, given]);
  const tasks = conversation.structured.action_items.length;
  return (
    <>
      <ConversationHead conversation={conversation} changed={setConversation} />
      <Timeline state={state} />
      <Tabs
        label="Parts of the conversation"
        first="transcript"
        tabs={[
          {
            id: 'summary',
            title: 'Summary',
            content: () => <Summary {...conversation} corrected={state.corrected.value} />,
          },
          {
            id: 'transcript',
            title: 'Transcript',
            content: () => <Transcript state={state} goesOn={goesOn} />,
          },
          {
            id: 'tasks',
            title: tasks === 0 ? 'Tasks' : `Tasks ${tasks}`,
            content: () => <Tasks {...conversation} />,
          },
          { id: 'memories', title: 'Memories', content: () => <Memories id={id} /> },
          { id: 'photos', title: 'Photos', content: () => <Photos id={id} /> },
        ]}
      />
    </>
  );
};
