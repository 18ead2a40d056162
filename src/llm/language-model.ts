import type { z } from 'zod';
import type { ModelStep } from '../config/lists/index.js';
import { CochleaError } from '../errors/index.js';
import { checkAnswer, sentSchema } from './answer.js';
import { type Chat, type ChatMessage, createChat } from './chat.js';
import type { ModelOptions } from './model-options.js';
import { messagesOf, type Prompt } from './prompt.js';
import { type QuestionBounds, QuestionPlaces } from './question-places.js';
import { repeating } from './repeat.js';
import { type TokenBudget, withinBudget } from './token-budget.js';
import { LinkFilter, withoutLinks } from './without-links.js';

export interface Question extends Prompt {
  readonly step: ModelStep;
  /** The user whose token budget is charged. */
  readonly uid: string;
  /** Maximum tokens of the answer. */
  readonly answerTokens: number;
  /** Cancels the question, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface LanguageModel {
  /** Returns the value of `generated_by` for records that the model of a step has written. */
  nameOf(step: ModelStep): string;
  /**
   * Asks for an answer that matches a schema. If the answer is invalid, sends it back to the model once, with the
   * reason. Links and images are removed from the answer's texts.
   * @throws CochleaError `llm_unavailable`, `llm_limited` and `llm_busy`, which may be retried later; `llm_rejected`,
   * `llm_refused`, `llm_answer_invalid`, `llm_budget_spent`.
   */
  ask<Answer>(question: Question, schema: z.ZodType<Answer>): Promise<Answer>;
  /**
   * Asks for plain text. Links and images are removed from the text.
   * @param onText receives each part of the text when it arrives.
   * @throws CochleaError as `ask`, except for errors of the schema.
   */
  tell(question: Question, onText?: (part: string) => void): Promise<string>;
}

export interface LanguageModelParts {
  readonly budget: TokenBudget;
  /** Sends the requests. For tests. */
  readonly chat?: Chat;
  /** Ms for which an unavailable model gets no questions. For tests. */
  readonly rest?: number;
}

/** Dependencies for sending questions. */
interface Sending {
  readonly options: ModelOptions;
  readonly budget: TokenBudget;
  readonly chat: Chat;
}

interface Asked extends QuestionBounds {
  readonly question: Question;
  readonly messages: readonly ChatMessage[];
  readonly schema: Record<string, unknown> | undefined;
  readonly onText: ((part: string) => void) | undefined;
}

/** Sends one request within the user's token budget. */
const request = ({ options, budget, chat }: Sending, asked: Asked): Promise<string> => {
  const { question, messages, schema, signal, onText } = asked;
  const { step, uid, answerTokens } = question;
  const model = options.models[step];
  const named = schema && { name: step, schema };
  return withinBudget(budget, uid, messages, answerTokens, () =>
    chat({ model, messages, schema: named, answerTokens, onText }, signal),
  );
};

/**
 * Sends a request and retries failures. If parts of the answer are passed to `onText` as they arrive, the request is
 * not retried, because the user may already have seen the beginning of the answer.
 */
const send = (sending: Sending, asked: Asked): Promise<string> => {
  const { until, signal, onText } = asked;
  const retries = onText ? 0 : sending.options.retries;
  return repeating(() => request(sending, asked), { retries, until, signal });
};

const sendPlain = async (sending: Sending, asked: Omit<Asked, 'onText'>): Promise<string> =>
  withoutLinks(await send(sending, { ...asked, onText: undefined }), asked.question.data);

/**
 * Sends a question, and passes the parts of the answer to `onText` as they arrive. Removes links from the parts.
 * Returns all passed parts as one text.
 */
const sendShown = async (
  sending: Sending,
  asked: Omit<Asked, 'onText'>,
  onText: (part: string) => void,
): Promise<string> => {
  const filter = new LinkFilter(asked.question.data);
  let shown = '';
  const show = (part: string): void => {
    if (part === '') return;
    shown += part;
    onText(part);
  };
  await send(sending, { ...asked, onText: (part) => show(filter.push(part)) });
  show(filter.end());
  return shown;
};

/**
 * Asks for an answer that matches a schema. Asks once more if the first answer does not match.
 * @throws CochleaError `llm_answer_invalid`
 */
const sendChecked = async <Answer>(
  sending: Sending,
  question: Question,
  schema: z.ZodType<Answer>,
  bounds: QuestionBounds,
): Promise<Answer> => {
  const sent = sentSchema(schema);
  const messages = messagesOf(question, sent);
  const asked = { question, messages, schema: sent, onText: undefined, ...bounds };
  const first = await send(sending, asked);
  const checked = checkAnswer(first, schema, question.data);
  if (checked.ok) return checked.answer;
  const again = await send(sending, {
    ...asked,
    messages: [
      ...messages,
      { role: 'assistant', content: first },
      {
        role: 'user',
        content: `That answer was not accepted (${checked.why}). Answer again, with one JSON object of the schema alone.`,
      },
    ],
  });
  const repaired = checkAnswer(again, schema, question.data);
  if (repaired.ok) return repaired.answer;
  throw new CochleaError('llm_answer_invalid', { why: repaired.why });
};

/** Creates the client of a language model. It logs no question or answer, and its errors contain neither. */
export const createLanguageModel = (
  options: ModelOptions,
  { budget, chat = createChat(options), rest }: LanguageModelParts,
): LanguageModel => {
  const places = new QuestionPlaces(options, rest);
  const sending: Sending = { options, budget, chat };
  return {
    nameOf: (step) => `llm:${options.models[step]}`,

    ask: (question, schema) =>
      places.ask(question, (bounds) => sendChecked(sending, question, schema, bounds)),

    tell: (question, onText) =>
      places.ask(question, (bounds) => {
        const asked = { question, messages: messagesOf(question, undefined), schema: undefined, ...bounds };
        return onText === undefined ? sendPlain(sending, asked) : sendShown(sending, asked, onText);
      }),
  };
};
