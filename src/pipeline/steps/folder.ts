import { z } from 'zod';
import { folderMappingOf } from '../../service/rules/index.js';
import { assignFolder, type FolderRow, listFolderRows } from '../../store/records/index.js';
import { quoted, readStored, type StoredInput } from '../input/index.js';
import type { Step } from './step.js';

const mostFolders = 50;
/** Minimum confidence of the model. With less confidence, the conversation stays in its category's folder. */
const leastConfidence = 0.7;

interface FolderInput extends StoredInput {
  readonly folders: readonly FolderRow[];
  /** Id of the folder that the summary chose by the conversation's category. */
  readonly fallback: string | null;
}

/** Chooses the folder of a conversation. null means its category's folder. A folder that the user chose stays. */
export const folderStep: Step<FolderInput, string | null> = {
  async read(context, { conversation_id: id }) {
    const stored = await readStored(context, id);
    if (!stored || stored.content.discarded) return null;
    const folders = await listFolderRows(context.sql, stored.owner.uid, mostFolders);
    const mapping = folderMappingOf(stored.content.structured?.category ?? 'other');
    const fallback =
      folders.find((folder) => folder.is_system && folder.category_mapping === mapping)?.id ?? null;
    if (folders.length === 0 || stored.content.folder_id !== fallback) return null;
    return { ...stored, folders, fallback };
  },
  async byModel({ model, signal }, { owner, content, folders }) {
    // The model answers with a folder's number in the list, so it cannot choose another user's folder.
    const answer = z.strictObject({
      folder: z.number().int().min(0).max(folders.length),
      confidence: z.number().min(0).max(1),
    });
    const listed = folders.map(
      ({ name, description }, place) => `${place + 1}: ${quoted(name)}, ${quoted(description ?? '')}`,
    );
    const { folder, confidence } = await model.ask(
      {
        step: 'folder',
        uid: owner.uid,
        instructions: [
          'You file a conversation in one of the folders that the data lists before it.',
          'folder: the number of the folder, 0 when none fits. confidence: how sure you are, from 0 to 1.',
        ].join('\n'),
        data: [
          'Folders:',
          ...listed,
          '',
          'Conversation:',
          JSON.stringify({
            title: content.structured?.title,
            overview: content.structured?.overview,
            category: content.structured?.category,
          }),
        ].join('\n'),
        answerTokens: 60,
        signal,
      },
      answer,
    );
    return confidence < leastConfidence ? null : (folders[folder - 1]?.id ?? null);
  },
  async builtIn() {
    return null;
  },
  async store(sql, { owner, content, fallback }, chosen) {
    if (chosen !== null) {
      await assignFolder(sql, owner.uid, { conversationId: content.id, folderId: chosen, instead: fallback });
    }
  },
};
