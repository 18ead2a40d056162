import { type Answer, request } from '../shared/index.js';

/** A segment of a transcript. Times are seconds from the start of the conversation. */
export interface Segment {
  readonly id: string;
  readonly text: string;
  readonly speaker_id: number;
  readonly speaker_name: string;
  readonly is_user: boolean;
  readonly person_id: string | null;
  readonly start: number;
  readonly end: number;
  readonly revision: number;
  readonly by_user: boolean;
}

/** Who a speaker is: the user, a known person, a new person, or null for an unknown person. */
export type Person = 'me' | { readonly id: string } | { readonly name: string } | null;

/** What the service needs to undo the naming of a speaker. */
export interface UndoGroup {
  readonly segments: Readonly<Record<string, number>>;
}

export interface Named {
  readonly changed: number;
  readonly is_user: boolean;
  readonly person_id: string | null;
  /** Id of the person that the service added with the name; null if it added none. */
  readonly added_person_id: string | null;
  readonly undo: readonly UndoGroup[];
}

export interface KnownPerson {
  readonly id: string;
  readonly name: string;
}

const pathOf = (id: string): string => `conversations/${encodeURIComponent(id)}`;

/** Reads a page of a transcript. @param cursor of the page; null for the first page. @throws Problem */
export const readSegments = (id: string, cursor: string | null): Promise<Answer<readonly Segment[]>> =>
  request(`${pathOf(id)}/segments${cursor === null ? '' : `?${new URLSearchParams({ cursor })}`}`);

/** Changes the text of a segment. @throws Problem with status 409 if the segment has changed since it was read */
export const changeText = async (
  id: string,
  { id: segment, revision }: Segment,
  text: string,
): Promise<Segment> => {
  const path = `${pathOf(id)}/segments/${encodeURIComponent(segment)}`;
  return (await request<Segment>(path, { method: 'PATCH', body: { text, revision } })).body;
};

/**
 * Names the speaker of these segments. If `segments` is null, names the speaker in all of the speaker's segments.
 * @throws Problem
 */
export const nameSpeaker = async (
  id: string,
  speaker_id: number,
  person: Person,
  segments: readonly string[] | null,
): Promise<Named> => {
  const body = { speaker_id, person, segment_ids: segments };
  return (await request<Named>(`${pathOf(id)}/speakers`, { method: 'POST', body })).body;
};

/**
 * Undoes the naming of a speaker.
 * @returns whether the service removed the person that the naming had added.
 * @throws Problem
 */
export const undoNaming = async (
  id: string,
  { undo, added_person_id }: Pick<Named, 'undo' | 'added_person_id'>,
): Promise<boolean> => {
  const body = { undo, added_person_id };
  const path = `${pathOf(id)}/speakers/undo`;
  return (await request<{ person_removed: boolean }>(path, { method: 'POST', body })).body.person_removed;
};

/** Reads the people that the user knows. @throws Problem */
export const readPeople = async (): Promise<readonly KnownPerson[]> =>
  (await request<readonly KnownPerson[]>('people?limit=200')).body;

/** A conversation with its summary, without its transcript. */
export interface Conversation {
  readonly id: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly status: string;
  readonly starred: boolean;
  readonly folder_id: string | null;
  readonly structured: {
    readonly title: string;
    readonly overview: string;
    readonly action_items: readonly { readonly description: string; readonly completed: boolean }[];
  };
}

/** Reads a conversation without its transcript. @throws Problem */
export const readConversation = async (id: string): Promise<Conversation> =>
  (await request<Conversation>(pathOf(id))).body;

/** Changes title, star or folder of a conversation. @throws Problem */
export const changeConversation = async (id: string, change: object): Promise<Conversation> =>
  (await request<Conversation>(pathOf(id), { method: 'PATCH', body: change })).body;

export interface Memory {
  readonly id: string;
  readonly content: string;
}

/** Reads the memories that were found in a conversation. @throws Problem */
export const readMemories = async (id: string): Promise<readonly Memory[]> =>
  (await request<readonly Memory[]>(`${pathOf(id)}/memories`)).body;

export interface Photo {
  readonly id: string;
  readonly created_at: string;
  readonly description: string | null;
  readonly url: string;
}

/** Reads the photos of a conversation. @throws Problem */
export const readPhotos = async (id: string): Promise<readonly Photo[]> =>
  (await request<readonly Photo[]>(`${pathOf(id)}/photos`)).body;

export interface Folder {
  readonly id: string;
  readonly name: string;
}

/** Reads the folders of the user. @throws Problem */
export const readFolders = async (): Promise<readonly Folder[]> =>
  (await request<readonly Folder[]>('folders')).body;

/** A page of a list of conversations. */
export interface ConversationPart {
  readonly conversations: readonly Conversation[];
  readonly next: string | null;
  /** Conversations that a search found, but that are not close to its text. */
  readonly far?: readonly Conversation[];
}

/** Selects the conversations of a list. Absent and empty values select all. Days are `YYYY-MM-DD`. */
export interface Filter {
  readonly from: string;
  readonly to: string;
  readonly folder: string;
  readonly starred: boolean;
  readonly person: string;
}

const queryOf = ({ from, to, folder, starred, person }: Filter): Record<string, string> => ({
  ...(from && { start_date: from }),
  ...(to && { end_date: to }),
  ...(folder && { folder_id: folder }),
  ...(starred && { starred: 'true' }),
  ...(person && { speaker: person }),
});

/** Reads finished conversations, the newest first. @param cursor null for the first page. @throws Problem */
export const readConversations = async (
  limit: number,
  cursor: string | null,
  filter?: Filter,
): Promise<ConversationPart> => {
  const query = new URLSearchParams({
    limit: String(limit),
    ...(filter && queryOf(filter)),
    ...(cursor !== null && { cursor }),
  });
  const { body, next } = await request<readonly Conversation[]>(`conversations?${query}`);
  return { conversations: body, next };
};

/**
 * A conversation with at least this relevance counts as close to the searched text. The service always returns the
 * nearest conversations, even for a text without meaning. `docs/modules/console-pages.md` has the measurement.
 */
const leastRelevance = 0.25;

interface FoundConversation extends Conversation {
  readonly relevance_score: number;
}

/** Searches conversations by words and by meaning, the most relevant first. @throws Problem */
export const searchConversations = async (text: string): Promise<ConversationPart> => {
  const query = new URLSearchParams({ query: text, limit: '25' });
  const { body } = await request<{ items: readonly FoundConversation[]; semantic: boolean }>(
    `conversations/search?${query}`,
  );
  // If the service did not compare meanings, every found conversation contains a word of the text, so all of them are
  // close.
  const isClose = ({ relevance_score }: FoundConversation): boolean =>
    !body.semantic || relevance_score >= leastRelevance;
  return {
    conversations: body.items.filter(isClose),
    next: null,
    far: body.items.filter((item) => !isClose(item)),
  };
};

/** A change that several conversations get at once. */
export type CommonChange =
  | { readonly action: 'delete' }
  | { readonly action: 'move'; readonly folder_id: string | null }
  | { readonly action: 'star'; readonly starred: boolean };

/** Changes several conversations. @returns the number of conversations that were not changed. @throws Problem */
export const changeMany = async (ids: readonly string[], change: CommonChange): Promise<number> => {
  const body = { ids, ...change };
  const answer = await request<readonly { result: string }[]>('conversations/batch', {
    method: 'POST',
    body,
  });
  return answer.body.filter(({ result }) => result !== 'done').length;
};

/** A conversation that is in progress. */
export interface LiveConversation {
  readonly id: string;
  readonly source: string;
  readonly started_at: string | null;
}

/** Reads the conversations that are in progress on any engine. @throws Problem */
export const readLive = async (): Promise<readonly LiveConversation[]> =>
  (await request<readonly LiveConversation[]>('conversations/live')).body;

/** Returns the title of a conversation; words about its status if the title is empty. */
export const titleOf = ({ structured, status }: Pick<Conversation, 'structured' | 'status'>): string =>
  structured.title || (status === 'completed' ? 'Untitled' : 'Without a summary so far');
