import { useRoute } from 'preact-iso/router';
import { ExportConversation } from '../exports/index.js';
import { clockOf, Heading, Shown, Speaker, timeOf, useLoaded } from '../shared/index.js';
import { type Conversation, readConversation, titleOf } from './records.js';

const Transcript = ({ segments }: { segments: NonNullable<Conversation['transcript_segments']> }) => (
  <ol class="words">
    {segments.map(({ id, text, speaker_id, speaker_name, start }) => (
      <li key={id}>
        <span class="time">{clockOf(start)}</span>
        <Speaker id={speaker_id} name={speaker_name} />
        <p>{text}</p>
      </li>
    ))}
  </ol>
);

const Content = ({ conversation }: { conversation: Conversation }) => {
  const { structured, started_at, finished_at, transcript_segments, status } = conversation;
  const segments = transcript_segments ?? [];
  return (
    <>
      <Heading>{titleOf(conversation)}</Heading>
      <p class="small">
        {timeOf(started_at)}
        {finished_at !== null && ` to ${timeOf(finished_at)}`}
        {status === 'in_progress' && ' · goes on'}
      </p>
      {structured.overview !== '' && <p>{structured.overview}</p>}
      {structured.action_items.length > 0 && (
        <section aria-labelledby="tasks">
          <h2 id="tasks">Tasks</h2>
          <ul>
            {structured.action_items.map(({ description, completed }) => (
              <li key={description}>
                {description}
                {completed && ' (done)'}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="transcript">
        <h2 id="transcript">Transcript</h2>
        {segments.length === 0 ? <p>No words are stored.</p> : <Transcript segments={segments} />}
      </section>
    </>
  );
};
import { ConversationDetail, readConversation } from '../conversations/index.js';
import { Heading, Shown, useLoaded } from '../shared/index.js';

/** A conversation with its summary and its words. */
export const ConversationPage = () => {
  const { id = '' } = useRoute().params;
  const loaded = useLoaded(id, () => readConversation(id));
  return (
    <>
      <p class="row">
        <a href="/console/conversations">All conversations</a>
        <button type="button" class="plain" disabled={loaded.loading} onClick={loaded.reload}>
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
