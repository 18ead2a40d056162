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

/** Facts about the owner of a conversation that a summary needs. */
export interface Owner {
  readonly uid: string;
  readonly name: string | null;
  /** Language for generated texts. null means the language of the transcript. */
  readonly language: string | null;
  readonly timeZone: string;
}

/** The input of the steps of a conversation. */
export interface ConversationInput {
  readonly owner: Owner;
  readonly transcript: Transcript;
  /** The transcript in the form that the model reads. */
  readonly text: string;
  /** Descriptions of the conversation's images, oldest first. Images that show nothing are left out. */
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

/** Maximum number of images that a summary considers. */
const mostSeen = 20;

/** Returns descriptions of a conversation's images. If there are too many, selects images evenly over the conversation. */
const seenIn = async (sql: Sql, uid: string, id: string): Promise<string[]> => {
  const all = ((await photosOf(sql, uid, id)) ?? []).flatMap(({ description, discarded }) =>
    description && !discarded ? [description] : [],
  );
  const step = Math.max(1, all.length / mostSeen);
  return Array.from({ length: Math.min(all.length, mostSeen) }, (_, index) => all[Math.floor(index * step)]!);
};

/** Reads the owner of a conversation and builds the input of its steps. */
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

/** A completed conversation that was not discarded, with the input of its steps. */
export interface StoredInput extends ConversationInput {
  readonly content: ConversationContent;
}

/** Maximum UTF-8 bytes of one UTF-16 code unit. */
const bytesOfUnit = 3;

/**
 * Returns how many bytes are read from the beginning and from the end of a transcript. The rules and the model do not
 * read more.
 */
const endsFor = (llmInput: number): TranscriptEnds => ({
  beginning: bytesOfUnit * Math.max(fixedLimits.ruledText.value, llmInput),
  end: bytesOfUnit * llmInput,
});

/** Reads a conversation for a step. Returns null if it was deleted or is no longer completed. */
export const readStored = async (context: StepContext, id: string | null): Promise<StoredInput | null> => {
  const content = id === null ? null : await readContent(context.sql, id, endsFor(context.settings.llmInput));
  if (content === null || content.status !== 'completed') return null;
  const text = content.external_data?.text;
  const segments =
    content.segments.length === 0 && typeof text === 'string' ? [textAsSegment(text)] : content.segments;
  return { content, ...(await inputOf(context, content, segments)) };
};
