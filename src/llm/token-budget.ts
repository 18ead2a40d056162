import { CochleaError } from '../errors/index.js';
import type { ChatMessage } from './chat.js';

/** Counts the tokens that each user causes. The caller keeps it, so that this part needs no database. */
export interface TokenBudget {
  /** Takes tokens before they are used. @returns false when the user has not that many left today. */
  reserve(uid: string, tokens: number): Promise<boolean>;
  /** Corrects what was reserved to what was used. */
  settle(uid: string, reserved: number, used: number): Promise<void>;
}

/** Characters of a token, at the least that occurs over longer texts in languages with an alphabet. */
const charactersPerToken = 3;

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

/**
 * Makes one request within the budget of a user. A failed request counts with all that was reserved, because its use is not known.
 * @param answerTokens most tokens of the answer.
 * @param send makes the request; its `tokens` are estimated when null.
 * @returns the text of the answer.
 * @throws CochleaError `llm_budget_spent`; what `send` throws.
 */
export const withinBudget = async (
  budget: TokenBudget,
  uid: string,
  messages: readonly ChatMessage[],
  answerTokens: number,
  send: () => Promise<{ readonly text: string; readonly tokens: number | null }>,
): Promise<string> => {
  const reserved = tokensOf(lengthOf(messages)) + answerTokens;
  if (!(await budget.reserve(uid, reserved))) throw new CochleaError('llm_budget_spent');
  let used = 0;
  try {
    const { text, tokens } = await send();
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
