import {
  getConversation as getDocument,
  listConversationsOf,
  updateConversation as updateDocument,
} from '../../src/service/index.js';
import type { Structured } from '../../src/store/conversation-record.js';

/** What tests look at of a conversation as the API shows it. */
export interface ShownConversation {
  readonly id: string;
  readonly starred: boolean;
  readonly structured: Structured;
  readonly transcript_segments: readonly { readonly speaker_name: string }[] | null;
}

const parsed = <Value>(document: Buffer): Value => JSON.parse(document.toString()) as Value;

/** As the service's function of that name, with the document parsed; so are the next two. */
export const getConversation = async (...given: Parameters<typeof getDocument>): Promise<ShownConversation> =>
  parsed(await getDocument(...given));

export const updateConversation = async (
  ...given: Parameters<typeof updateDocument>
): Promise<ShownConversation> => parsed(await updateDocument(...given));

export const listConversations = async (
  ...given: Parameters<typeof listConversationsOf>
): Promise<{ readonly items: readonly ShownConversation[]; readonly next: string | null }> => {
  const { document, next } = await listConversationsOf(...given);
  return { items: parsed(document), next };
};
