import {
  getConversation as getDocument,
  listConversationsOf,
  updateConversation as updateDocument,
} from '../../../src/service/conversations/stored-conversations.js';
import type { JsonDocument } from '../../../src/service/parts/json-parts.js';
import type { Structured } from '../../../src/store/record/conversation-record.js';

/** The fields that tests read of a conversation from the API. */
export interface ShownConversation {
  readonly id: string;
  readonly starred: boolean;
  readonly structured: Structured;
  readonly transcript_segments: readonly { readonly speaker_name: string }[] | null;
}

/** Parses a document, which is a buffer or a sequence of buffers. */
const parsed = async <Value>(document: JsonDocument): Promise<Value> => {
  const parts: Buffer[] = [];
  if (Buffer.isBuffer(document)) parts.push(document);
  else for await (const part of document) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString()) as Value;
};

/**
 * Calls the service's function of the same name, and parses the document that it returns. The next two functions do the
 * same for other functions of the service.
 */
export const getConversation = async (...given: Parameters<typeof getDocument>): Promise<ShownConversation> =>
  parsed(await getDocument(...given));

export const updateConversation = async (
  ...given: Parameters<typeof updateDocument>
): Promise<ShownConversation> => parsed(await updateDocument(...given));

export const listConversations = async (
  ...given: Parameters<typeof listConversationsOf>
): Promise<{ readonly items: readonly ShownConversation[]; readonly next: string | null }> => {
  const { document, next } = await listConversationsOf(...given);
  return { items: await parsed(document), next };
};
