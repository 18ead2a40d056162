import { z } from 'zod';
import type { UtteranceRequest } from '../shared/index.js';

/** Name of the header comment that contains the record of a retained file. */
const commentName = 'COCHLEA_RECORD';

const originSchema = z.object({
  conversation: z.string().nullable(),
  source: z.string(),
  device: z.string().nullable(),
  platform: z.string().nullable(),
  speaker: z.string(),
  speakerId: z.number(),
  isUser: z.boolean(),
  personId: z.string().nullable(),
  from: z.number(),
  to: z.number(),
});

/** Schema of the metadata that is stored with retained audio. Files of the first release have no origin. */
const recordSchema = z.object({
  user: z.string(),
  stream: z.string(),
  start: z.number(),
  end: z.number(),
  language: z.string(),
  reason: z.string(),
  samples: z.number().int().min(0),
  retained_at: z.string(),
  origin: originSchema.optional(),
});

/** The record of retained audio, its metadata: user, times, language, origin of the words, and the reason for retaining. */
export type RetainedRecord = z.infer<typeof recordSchema>;

/** Creates the record of an utterance that is retained now. */
export const recordOf = (request: UtteranceRequest, reason: string, at: Date): RetainedRecord => {
  const { user, stream, start, end, language, pcm, origin } = request;
  return {
    user,
    stream,
    start,
    end,
    language,
    reason,
    samples: pcm.length,
    retained_at: at.toISOString(),
    ...(origin === undefined ? {} : { origin }),
  };
};

/** Parses a record. @returns undefined if the text is not a record. */
export const parseRecord = (text: string): RetainedRecord | undefined => {
  try {
    return recordSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/** Converts the record to a comment of an Ogg file. */
export const recordComment = (record: RetainedRecord): string => `${commentName}=${JSON.stringify(record)}`;

/** Finds the record among the comments of an Ogg file; undefined if there is none. */
export const recordIn = (comments: readonly string[]): RetainedRecord | undefined => {
  const comment = comments.find((text) => text.startsWith(`${commentName}=`));
  return comment === undefined ? undefined : parseRecord(comment.slice(commentName.length + 1));
};

/** Returns the start and end of the speech, wall clock in ms. They are approximate for files without an origin. */
export const spokenAt = ({ origin, retained_at: at, start, end }: RetainedRecord) => {
  if (origin !== undefined) return { from: origin.from, to: origin.to };
  const to = Date.parse(at);
  return { from: to - (end - start) * 1000, to };
};
