import { announce, type Sql } from '../client/index.js';
import type { Structured } from '../record/index.js';
import { ensureSystemFolders, type SystemFolder } from '../records/index.js';

/** Chooses the folder of a conversation whose user has not chosen a folder. */
export interface Filing {
  /** Folders that every user has. They are made for a user without folders. */
  readonly folders: readonly SystemFolder[];
  /** `category_mapping` of the conversation's folder; null for no folder. */
  readonly mapping: string | null;
}

/** The generated summary of a conversation. */
export interface Summary {
  readonly structured: Structured;
  readonly generatedBy: string;
  readonly discarded: boolean;
  /** Null for a discarded conversation. */
  readonly filing: Filing | null;
}

/**
 * Returns SQL assignments that complete a conversation with its summary. A title, a folder or a decision to discard
 * that the user has set stays.
 */
export const completion = (sql: Sql, { structured, generatedBy, discarded, filing }: Summary) => sql`
  status = 'completed', structured = ${sql.json(structured as never)}::jsonb
    || case when title_by_user is null then '{}'::jsonb else jsonb_build_object('title', title_by_user) end,
  generated_by = ${generatedBy}, discarded = coalesce(discarded_by_user, ${discarded}),
  folder_id = coalesce(folder_id, (
    select f.id from folders f
    where f.uid = conversations.uid and f.is_system and f.category_mapping = ${filing?.mapping ?? null})),
  engine = null, claimed_at = null, processing_attempts = 0, completed_at = now(), updated_at = now()`;

/** Makes the folders that a conversation may be filed into. Called in the transaction that completes the conversation. */
export const prepareFiling = async (sql: Sql, uid: string, { filing }: Summary): Promise<void> => {
  if (filing) await ensureSystemFolders(sql, uid, filing.folders);
};

/** Announces a completed conversation to the engines, after the commit. */
export const announceCompletion = (sql: Sql, id: string): Promise<void> =>
  announce(sql, 'conversation_completed', id);
