import { CochleaError } from '../errors/index.js';
import type { ChatMessage } from './chat.js';

/** Counts the tokens that each user causes. The caller stores the counts, so this module needs no database. */
export interface TokenBudget {
  /** Reserves tokens before they are used. @returns false when the user has fewer left today. */
  reserve(uid: string, tokens: number): Promise<boolean>;
  /** Replaces the reserved tokens by the used ones. */
  settle(uid: string, reserved: number, used: number): Promise<void>;
}

/** Fewest characters per token over longer texts in alphabetic languages. */
const charactersPerToken = 3;

/** Tokens assumed for an image: about as many as models count for a large one. */
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
 * Makes one request within the budget of a user. A failed request costs all reserved tokens, because its use is
 * unknown.
 * @param answerTokens most tokens of the answer.
 * @param send makes the request; null `tokens` are estimated.
 * @returns the text of the answer.
 * @throws CochleaError `llm_budget_spent`; the errors of `send`.
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
    // A server that refused without an answer has used no tokens.
    const unused =
      error instanceof CochleaError &&
      (['llm_limited', 'llm_rejected'].includes(error.code) || error.details.unanswered === true);
    used = unused ? 0 : reserved;
    throw error;
  } finally {
    await budget.settle(uid, reserved, used);
  }
};
