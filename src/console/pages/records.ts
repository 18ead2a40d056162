import { request } from '../shared/index.js';

/** A conversation as pages read it. */
export interface Conversation {
  readonly id: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly status: string;
  readonly starred: boolean;
  readonly structured: {
    readonly title: string;
    readonly overview: string;
    readonly action_items: readonly { readonly description: string; readonly completed: boolean }[];
  };
  readonly transcript_segments:
    | readonly {
        readonly id: string;
        readonly text: string;
        readonly speaker_id: number;
        readonly speaker_name: string;
        readonly start: number;
      }[]
    | null;
}

/** A part of the list of conversations. `next` is the cursor of the next part; null for the last. */
export interface ConversationPart {
  readonly conversations: readonly Conversation[];
  readonly next: string | null;
}

/** Reads finished conversations, the newest first. @param cursor of the part; null for the first. @throws Problem */
export const readConversations = async (limit: number, cursor: string | null): Promise<ConversationPart> => {
  const query = new URLSearchParams({ limit: String(limit), ...(cursor !== null && { cursor }) });
  const { body, next } = await request<readonly Conversation[]>(`conversations?${query}`);
  return { conversations: body, next };
};

/** Reads a conversation with its transcript. @throws Problem */
export const readConversation = async (id: string): Promise<Conversation> =>
  (await request<Conversation>(`conversations/${encodeURIComponent(id)}?include_transcript=true`)).body;

/** A conversation that is going on. */
export interface LiveConversation {
  readonly id: string;
  readonly source: string;
  readonly started_at: string | null;
}

/** Reads the conversations that are going on, at any engine. @throws Problem */
export const readLive = async (): Promise<readonly LiveConversation[]> =>
  (await request<readonly LiveConversation[]>('conversations/live')).body;

/** Returns the title, or words instead of an empty one. */
export const titleOf = ({ structured, status }: Conversation): string =>
  structured.title || (status === 'completed' ? 'Untitled' : 'Without a summary so far');
