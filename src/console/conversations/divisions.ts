import { request } from '../shared/index.js';

/** The last change, described in words, and the function that undoes it. */
export interface Done {
  readonly text: string;
  /** The change as the rest of a sentence that begins with "Undo". */
  readonly what: string;
  /**
   * Undoes the change. Resolves to the address of the page to show then, or to null for the same page. Throws Problem.
   * The property is null if the change cannot be undone.
   */
  readonly undo: (() => Promise<string | null>) | null;
}

interface Divided {
  readonly id: string;
  /** Identifies the change in the request that undoes it; null if the change cannot be undone. */
  readonly undo: string | null;
}

const list = '/console/conversations';
const addressOf = (id: string): string => `${list}/${encodeURIComponent(id)}`;

/** The change that led to a page, and the address of this page. The page describes the change. */
let shown: { readonly address: string; readonly done: Done } | null = null;

/** Returns the change that led to the page of an address. If the change cannot be undone, returns it only once. */
const take = (address: string): Done | null => {
  if (shown?.address !== address) return null;
  const { done } = shown;
  if (done.undo === null) shown = null;
  return done;
};

/**
 * Returns the change that led to the page of a conversation: a split, a merge, or the undoing of one of them. null if
 * the user opened the page in another way.
 */
export const doneOf = (conversation: string): Done | null => take(addressOf(conversation));

/** Returns the sentence about the change that led to the list of conversations; an empty text for none. */
export const takeListNotice = (): string => take(list)?.text ?? '';

const show = (address: string, done: Done): string => {
  shown = { address, done };
  return address;
};

const divided = (
  { id, undo }: Divided,
  words: { readonly text: string; readonly what: string; readonly back: string },
): string => {
  const { text, what, back } = words;
  const undone: Done = { text: `Undone: ${what}.`, what, undo: null };
  return show(addressOf(id), {
    text,
    what,
    undo:
      undo === null
        ? null
        : async () => {
            await request('conversations/undo', { method: 'POST', body: { undo } });
            return show(back, undone);
          },
  });
};

/**
 * Moves a segment and all segments after it to a new conversation.
 * @returns the address of the new conversation's page.
 * @throws Problem
 */
export const split = async (id: string, segment: string): Promise<string> => {
  const path = `conversations/${encodeURIComponent(id)}/split`;
  const { body } = await request<Divided>(path, { method: 'POST', body: { segment_id: segment } });
  return divided(body, { text: 'This is the second part.', what: 'the split', back: addressOf(id) });
};

/** Merges conversations into one of them. @returns the address of the page of that conversation. @throws Problem */
export const merge = async (ids: readonly string[]): Promise<string> => {
  const { body } = await request<Divided>('conversations/merge', { method: 'POST', body: { ids } });
  const what = `the merge of ${ids.length} conversations`;
  return divided(body, { text: `${ids.length} conversations are merged.`, what, back: list });
};
