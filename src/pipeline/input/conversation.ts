import { fixedLimits } from '../../config/limits/index.js';
import { textAsSegment } from '../../service/conversations/index.js';
import type { Transcript } from '../../service/structure/language/index.js';
import type { Sql } from '../../store/client/index.js';
import { type ConversationContent, photosOf, readContent } from '../../store/conversations/index.js';
import { readUserSettings, type UserSettingsRow } from '../../store/records/index.js';
import type { TranscriptEnds } from '../../store/segments/index.js';
import type { LiveSegment } from '../../wire/index.js';
import type { StepContext } from '../work/index.js';
import { transcriptText } from './transcript-text.js';

/** Whose conversation it is, as far as a summary needs to know. */
export interface Owner {
  readonly uid: string;
  readonly name: string | null;
  /** Language in which texts are written; null for that of the transcript. */
  readonly language: string | null;
  readonly timeZone: string;
}

/** What the steps of a conversation work on. */
export interface ConversationInput {
  readonly owner: Owner;
  readonly transcript: Transcript;
  /** The transcript as a model reads it. */
  readonly text: string;
  /** What images of the conversation show, the oldest first; those that show nothing are left out. */
  readonly photos: readonly string[];
}

export const ownerOf = (
  uid: string,
  settings: Pick<UserSettingsRow, 'name' | 'language' | 'time_zone'> | null,
  language: string,
): Owner => {
  const wanted = settings?.language ?? language;
  return {
    uid,
    name: settings?.name ?? null,
    language: wanted === 'multi' ? null : wanted,
    timeZone: settings?.time_zone ?? 'UTC',
  };
};

type Spoken = Pick<ConversationContent, 'id' | 'uid' | 'language' | 'started_at' | 'created_at'>;

/** Images of which a summary takes account. */
const mostSeen = 20;

/** What images show, evenly from the whole conversation where there are many. */
const seenIn = async (sql: Sql, uid: string, id: string): Promise<string[]> => {
  const all = ((await photosOf(sql, uid, id)) ?? []).flatMap(({ description, discarded }) =>
    description && !discarded ? [description] : [],
  );
  const step = Math.max(1, all.length / mostSeen);
  return Array.from({ length: Math.min(all.length, mostSeen) }, (_, index) => all[Math.floor(index * step)]!);
};

/** Reads who owns a conversation, and puts together what its steps work on. */
export const inputOf = async (
  { sql, settings, model }: StepContext,
  conversation: Spoken,
  segments: readonly LiveSegment[],
): Promise<ConversationInput> => {
  const owner = ownerOf(
    conversation.uid,
    await readUserSettings(sql, conversation.uid),
    conversation.language,
  );
  return {
    owner,
    transcript: {
      id: conversation.id,
      language: conversation.language,
      startedAt: conversation.started_at ?? conversation.created_at,
      segments,
      timeZone: owner.timeZone,
      userName: owner.name,
    },
    text: transcriptText(segments, owner.name, settings.llmInput),
    photos: model === null ? [] : await seenIn(sql, conversation.uid, conversation.id),
  };
};

/** A completed conversation that is kept, with what its steps work on. */
export interface StoredInput extends ConversationInput {
  readonly content: ConversationContent;
}

/** Bytes that a code unit of a text has at most, in UTF-8. */
const bytesOfUnit = 3;

/** The part of a transcript that the rules and a model read. */
const endsFor = (llmInput: number): TranscriptEnds => ({
  beginning: bytesOfUnit * Math.max(fixedLimits.ruledText.value, llmInput),
  end: bytesOfUnit * llmInput,
});

/** Reads a conversation for a step; null when it was deleted, or is not completed any more. */
export const readStored = async (context: StepContext, id: string | null): Promise<StoredInput | null> => {
  const content = id === null ? null : await readContent(context.sql, id, endsFor(context.settings.llmInput));
  if (content === null || content.status !== 'completed') return null;
  const text = content.external_data?.text;
  const segments =
    content.segments.length === 0 && typeof text === 'string' ? [textAsSegment(text)] : content.segments;
  return { content, ...(await inputOf(context, content, segments)) };
};
