import { z } from 'zod';
import type { LanguageModel } from '../../llm/index.js';
import { timeZoneNamed, timeZoneOf } from '../records/index.js';
import { invalid } from '../rules/index.js';
import { extractiveAnswer, extractiveName, nothingFound } from './extractive-answer.js';
import type { Source } from './passages.js';
import {
  type FoundSources,
  findSources,
  momentFormat,
  type SourceParts,
  sourcesForModel,
} from './question-sources.js';

/** Limits of a question: maximum number of conversations to read, and maximum characters of a time zone's name. */
export const askBounds = { sources: 10, timeZone: 64 } as const;

export interface AskedQuestion {
  readonly question: string;
  /** Maximum number of conversations to read. */
  readonly limit: number;
  /** IANA name of the zone for days in the answer. Default: the user's zone. */
  readonly timeZone?: string | undefined;
}

export interface AnsweredQuestion {
  readonly answer: string;
  /** The conversations that the answer is based on. */
  readonly sources: readonly { readonly id: string; readonly title: string; readonly created_at: string }[];
  /** Name of the language model that made the answer. If rules selected sentences as the answer: `extractiveName`. */
  readonly generated_by: string;
}

export interface AskParts extends SourceParts {
  /** The language model; null if none is configured. */
  readonly model: LanguageModel | null;
  /** Called with the error if the model cannot answer. */
  readonly onFailure: (error: unknown) => void;
}

/** Maximum ms for the language model's answer. If it takes longer, the most relevant sentences are the answer. */
const modelTimeout = 20_000;
const answerTokens = 800;

const modelAnswer = z.strictObject({
  answer: z.string().min(1).max(8000),
  sources: z.array(z.number().int()).max(askBounds.sources),
});

const shown = ({ conversation }: Source) => ({
  id: conversation.id,
  title: conversation.structured.title,
  created_at: conversation.created_at,
});

const byModel = async (
  model: LanguageModel,
  uid: string,
  question: string,
  timeZone: string,
  found: FoundSources,
): Promise<AnsweredQuestion> => {
  const { answer, sources: used } = await model.ask(
    {
      step: 'answer',
      uid,
      instructions: [
        "You answer a person's question from that person's own conversations, in the language of the question.",
        `It is ${momentFormat(timeZone).format(new Date())} (${timeZone}).`,
        'Use only what the conversations say; when they do not answer the question, say so. At most five sentences.',
        'sources: the numbers of the conversations that the answer is made from.',
      ].join('\n'),
      data: JSON.stringify({ question, conversations: sourcesForModel(found, timeZone) }),
      answerTokens,
      signal: AbortSignal.timeout(modelTimeout),
    },
    modelAnswer,
  );
  const named = [...new Set(used)].flatMap((number) => found.sources[number] ?? []);
  return { answer, sources: named.map(shown), generated_by: model.nameOf('answer') };
};

/**
 * Answers a question from a user's conversations. The language model answers if it is configured and works. Otherwise the most relevant
 * sentences are the answer.
 * @throws CochleaError `validation_failed` for an unknown time zone.
 */
export const answerQuestion = async (
  parts: AskParts,
  uid: string,
  asked: AskedQuestion,
): Promise<AnsweredQuestion> => {
  const timeZone = timeZoneNamed(asked.timeZone ?? (await timeZoneOf(parts.sql, uid)));
  if (timeZone === null)
    throw invalid('timezone must be an IANA name such as Europe/Berlin', 'body.timezone');
  const { model, onFailure } = parts;
  const found = await findSources(parts, uid, asked.question, asked.limit);
  if (found.sources.length === 0) return { answer: nothingFound, sources: [], generated_by: extractiveName };
  if (model !== null) {
    try {
      return await byModel(model, uid, asked.question, timeZone, found);
    } catch (error) {
      onFailure(error);
    }
  }
  const { answer, sources: used } = extractiveAnswer(found.passages, timeZone);
  return { answer, sources: used.map(shown), generated_by: extractiveName };
};
