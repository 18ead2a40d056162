import { Shown, timeOf, useLoaded } from '../shared/index.js';
import { type Conversation, readMemories, readPhotos } from './records.js';

/**
 * The overview of a conversation.
 * @param corrected whether the user corrected the transcript after the page had read the overview
 */
export const Summary = ({ structured, corrected }: Conversation & { corrected: boolean }) => (
  <>
    {corrected && (
      <p class="small">
        You have corrected the transcript since this summary was made. About a minute after your last
        correction, a new summary is made. Reload the page to see it.
      </p>
    )}
    {structured.overview === '' ? <p>There is no summary yet.</p> : <p>{structured.overview}</p>}
  </>
);

/** The tasks that were found in a conversation. */
export const Tasks = ({ structured }: Conversation) =>
  structured.action_items.length === 0 ? (
    <p>No tasks were found.</p>
  ) : (
    <ul>
      {structured.action_items.map(({ description, completed }, at) => (
        <li key={at}>
          {description}
          {completed && ' (done)'}
        </li>
      ))}
    </ul>
  );

/** The memories that were found in a conversation. */
export const Memories = ({ id }: { id: string }) => {
  const loaded = useLoaded(`memories ${id}`, () => readMemories(id));
  return (
    <Shown
      loaded={loaded}
      isEmpty={(memories) => memories.length === 0}
      empty={<p>No memories were found.</p>}
    >
      {(memories) => (
        <ul>
          {memories.map((memory) => (
            <li key={memory.id}>{memory.content}</li>
          ))}
        </ul>
      )}
    </Shown>
  );
};

/** The photos of a conversation. */
export const Photos = ({ id }: { id: string }) => {
  const loaded = useLoaded(`photos ${id}`, () => readPhotos(id));
  return (
    <Shown loaded={loaded} isEmpty={(photos) => photos.length === 0} empty={<p>There are no photos.</p>}>
      {(photos) => (
        <ul class="photos">
          {photos.map(({ id: photo, url, description, created_at }) => (
            <li key={photo}>
              <img
                src={new URL(url).pathname + new URL(url).search}
                alt={description ?? 'Photo without a description'}
              />
              <p class="small">{timeOf(created_at)}</p>
              {description !== null && <p>{description}</p>}
            </li>
          ))}
        </ul>
      )}
    </Shown>
  );
};
