import type { z } from 'zod';
import { anySignal, UserTurns } from '../common/index.js';
import type { ModelStep } from '../config/lists/index.js';
import { CochleaError } from '../errors/index.js';
import { checkAnswer, sentSchema } from './answer.js';
import { Breaker } from './breaker.js';
import { type Chat, type ChatMessage, createChat } from './chat.js';
import type { ModelOptions } from './model-options.js';
import { messagesOf, type Prompt } from './prompt.js';
import { repeating } from './repeat.js';
import { LinkFilter, withoutLinks } from './without-links.js';

/** Counts the tokens that each user causes. The caller keeps it, so that this part needs no database. */
export interface TokenBudget {
  /** Takes tokens before they are used. @returns false when the user has not that many left today. */
  reserve(uid: string, tokens: number): Promise<boolean>;
  /** Corrects what was reserved to what was used. */
  settle(uid: string, reserved: number, used: number): Promise<void>;
}

export interface Question extends Prompt {
  readonly step: ModelStep;
  /** Whose tokens it costs. */
  readonly uid: string;
  /** Most tokens of the answer. */
  readonly answerTokens: number;
  /** Ends the question early; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface LanguageModel {
  /** What is written as `generated_by` of what the model of a step has made. */
  nameOf(step: ModelStep): string;
  /**
   * Asks for an answer that passes a schema. One that does not is sent back once with what is wrong. Links and images are taken out of
   * its texts.
   * @throws CochleaError `llm_unavailable`, `llm_limited` and `llm_busy`, which may be repeated later; `llm_rejected`, `llm_refused`,
   *   `llm_answer_invalid`, `llm_budget_spent`.
   */
  ask<Answer>(question: Question, schema: z.ZodType<Answer>): Promise<Answer>;
  /** Asks for plain text, out of which links and images are taken. @param onText gets each part as it comes. @throws CochleaError as `ask`, without the schema's. */
  tell(question: Question, onText?: (part: string) => void): Promise<string>;
}

/** Characters of a token, at the least that occurs over longer texts in languages with an alphabet. */
const charactersPerToken = 3;

/** Part of the time limit that an ordinary question may take. */
const ordinaryShare = 4;

/** Tokens that an image is taken for: about what models count for a large one. */
const tokensPerImage = 1500;

const contentLength = (content: ChatMessage['content']): number =>
  typeof content === 'string'
    ? content.length
    : content.reduce(
        (sum, part) => sum + (part.type === 'text' ? part.text.length : tokensPerImage * charactersPerToken),
        0,
      );

const lengthOf = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, { content }) => sum + contentLength(content), 0);

const tokensOf = (characters: number): number => Math.ceil(characters / charactersPerToken);

export interface LanguageModelParts {
  readonly budget: TokenBudget;
  /** For tests. */
  readonly chat?: Chat;
  /** Ms for which a model that is away is not asked. For tests. */
  readonly rest?: number;
}

/** Makes the client of a language model. Nothing of what is asked or answered is logged or kept in an error. */
export const createLanguageModel = (
  options: ModelOptions,
  { budget, chat = createChat(options), rest }: LanguageModelParts,
): LanguageModel => {
  // What one user has waiting must not take every place from the others for as long as a question may last.
  const share = Math.ceil(options.concurrency / 2);
  // Two users whose questions are not answered leave a place to the others.
  const places = new UserTurns({
    most: options.concurrency,
    mostOfUser: share,
    kept: options.concurrency > 2 ? 1 : 0,
    long: {
      most: Math.max(1, Math.floor(options.concurrency / 3)),
      ordinary: options.timeout / ordinaryShare,
    },
  });
  /** Ms that a question may wait for its place: as much longer as its user has fewer of them. */
  const longestWait = options.timeout * Math.ceil(options.concurrency / share);
  const breaker = new Breaker(rest === undefined ? {} : { rest });

  interface Asked {
    readonly question: Question;
    readonly messages: readonly ChatMessage[];
    readonly schema: Record<string, unknown> | undefined;
    readonly until: number;
    readonly signal: AbortSignal;
    readonly onText: ((part: string) => void) | undefined;
  }

  /** One request within the budget. What a failed one has used is not known, so all that was reserved counts. */
  const request = async ({ question, messages, schema, signal, onText }: Asked): Promise<string> => {
    const { step, uid, answerTokens } = question;
    const reserved = tokensOf(lengthOf(messages)) + answerTokens;
    if (!(await budget.reserve(uid, reserved))) throw new CochleaError('llm_budget_spent');
    const model = options.models[step];
    const named = schema && { name: step, schema };
    let used = 0;
    try {
      const { text, tokens } = await chat({ model, messages, schema: named, answerTokens, onText }, signal);
      used = tokens ?? tokensOf(lengthOf(messages) + text.length);
      return text;
    } catch (error) {
      // A server that refused before it answered has used nothing.
      const unused =
        error instanceof CochleaError &&
        (['llm_limited', 'llm_rejected'].includes(error.code) || error.details.unanswered === true);
      used = unused ? 0 : reserved;
      throw error;
    } finally {
      await budget.settle(uid, reserved, used);
    }
  };

  /**
   * Begins the work as soon as a place is free and it is the turn of the question's user. The wait has a bound of its own and is no
   * fault of the model.
   * @throws CochleaError `llm_busy` when none becomes free, the reason of the question's signal when that ends the wait.
   */
  const inPlace = async <Result>(question: Question, work: () => Promise<Result>): Promise<Result> => {
    const { uid, signal: ended } = question;
    ended?.throwIfAborted();
    const tooLong = new AbortController();
    const busy = new CochleaError('llm_busy', { seconds: Math.ceil(longestWait / 1000) });
    const timer = setTimeout(() => tooLong.abort(busy), longestWait);
    try {
      await places.begin(uid, ended ? anySignal(ended, tooLong.signal) : tooLong.signal);
    } finally {
      clearTimeout(timer);
    }
    try {
      return await work();
    } finally {
      places.end(uid);
    }
  };

  /** Asks in a place within the time of a question, which begins then. */
  const asking = <Result>(
    question: Question,
    ask: (bounds: Pick<Asked, 'until' | 'signal'>) => Promise<Result>,
  ): Promise<Result> => {
    return inPlace(question, () =>
      breaker.guard(question.uid, async () => {
        const until = Date.now() + options.timeout;
        const tooLong = AbortSignal.timeout(options.timeout);
        const signal = question.signal ? anySignal(question.signal, tooLong) : tooLong;
        try {
          return await ask({ until, signal });
        } catch (error) {
          question.signal?.throwIfAborted();
          if (tooLong.aborted) throw new CochleaError('llm_unavailable', { why: 'it takes too long' });
          throw error;
        }
      }),
    );
  };

  /** An answer that is shown while it comes is not asked for again, because its beginning was shown. */
  const send = (asked: Asked): Promise<string> => {
    const { until, signal, onText } = asked;
    return repeating(() => request(asked), { retries: onText ? 0 : options.retries, until, signal });
  };

  const sendPlain = async (asked: Omit<Asked, 'onText'>): Promise<string> =>
    withoutLinks(await send({ ...asked, onText: undefined }), asked.question.data);

  /** What is shown in parts is the answer, so both are without links alike. */
  const sendShown = async (asked: Omit<Asked, 'onText'>, onText: (part: string) => void): Promise<string> => {
    const filter = new LinkFilter(asked.question.data);
    let shown = '';
    const show = (part: string): void => {
      if (part === '') return;
      shown += part;
      onText(part);
    };
    await send({ ...asked, onText: (part) => show(filter.push(part)) });
    show(filter.end());
    return shown;
  };

  return {
    nameOf: (step) => `llm:${options.models[step]}`,

    ask: (question, schema) =>
      asking(question, async (bounds) => {
        const sent = sentSchema(schema);
        const messages = messagesOf(question, sent);
        const asked = { question, messages, schema: sent, onText: undefined, ...bounds };
        const first = await send(asked);
        const checked = checkAnswer(first, schema, question.data);
        if (checked.ok) return checked.answer;
        const again = await send({
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
      }),

    tell: (question, onText) =>
      asking(question, (bounds) => {
        const asked = { question, messages: messagesOf(question, undefined), schema: undefined, ...bounds };
        return onText === undefined ? sendPlain(asked) : sendShown(asked, onText);
      }),
  };
};
