import type { Sql } from '../../store/client/index.js';
import { emptySegment, type LiveSegment } from '../../wire/index.js';
import { keptSummary, optionalText, requiredText } from '../rules/index.js';
import type { StructureExtractor } from '../structure/language/index.js';
import {
  type CreatedConversation,
  conversationTimes,
  createGiven,
  type GivenOrigin,
  originOf,
  spokenTo,
} from './supplied-conversations.js';

/** The kinds of text that a client may name. */
export const textSources = ['audio_transcript', 'message', 'other_text'] as const;
export type TextSource = (typeof textSources)[number];

/** Limits of a text; lengths in code points. */
export const textBounds = { text: 100_000, spec: 500 } as const;

/** A request to create a conversation from a text. Its types are already checked. */
export interface FromText extends GivenOrigin {
  readonly text: string;
  readonly text_source?: TextSource | undefined;
  /** More details about the source, for example the name of an application. */
  readonly text_source_spec?: string | null | undefined;
}

/** Default duration of a conversation in ms, if the request names no end. */
const usualDuration = 300_000;

/** Returns a text as one segment of the user, the input of the summary. The segment is not stored. */
export const textAsSegment = (text: string): LiveSegment => ({ ...emptySegment, text, is_user: true });

/**
 * Creates a conversation from a text and summarises it before answering. A text is never discarded. Idempotent like `createGiven`.
 * @throws CochleaError `validation_failed`; errors of the extractor
 */
export const createFromText = async (
  sql: Sql,
  extractor: StructureExtractor,
  uid: string,
  request: FromText,
  now = new Date(),
): Promise<CreatedConversation> => {
  const text = requiredText('text', request.text, textBounds.text);
  const times = conversationTimes(request, now, usualDuration, 'equal');
  const given = {
    ...originOf(uid, request),
    ...times,
    source: 'external_integration',
    segments: [],
    externalData: {
      text,
      text_source: request.text_source ?? 'other_text',
      text_source_spec: optionalText('text_source_spec', request.text_source_spec, textBounds.spec),
    },
  };
  return createGiven(sql, given, async () =>
    keptSummary(
      extractor,
      {
        ...(await spokenTo(sql, uid)),
        id: given.id,
        language: given.language,
        startedAt: given.startedAt,
        segments: [textAsSegment(text)],
      },
      uid,
    ),
  );
};
