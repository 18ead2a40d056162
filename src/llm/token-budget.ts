import { CochleaError } from '../errors/index.js';
import type { ChatMessage } from './chat.js';

/** Counts the tokens that each user's questions use. The caller stores the counts, so this module needs no database. */
export interface TokenBudget {
  /**
   * Reserves tokens before they are used.
   * @returns false if the user has fewer tokens left today. In that case no tokens are reserved.
   */
  reserve(uid: string, tokens: number): Promise<boolean>;
  /** Replaces the number of reserved tokens by the number of used tokens. */
  settle(uid: string, reserved: number, used: number): Promise<void>;
}

/** Minimum average characters per token, in longer texts of alphabetic languages. */
const charactersPerToken = 3;

/** Number of tokens assumed for an image. Models count about as many for a large image. */
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
 * Sends one request within the budget of a user. A failed request costs all reserved tokens, because the number of used
 * tokens is unknown.
 * @param answerTokens maximum tokens of the answer.
 * @param send sends the request. If the `tokens` of its answer are null, their number is estimated.
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
    // A server that refused without an answer did not use any tokens.
    const unused =
      error instanceof CochleaError &&
      (['llm_limited', 'llm_rejected'].includes(error.code) || error.details.unanswered === true);
    used = unused ? 0 : reserved;
    throw error;
  } finally {
    await budget.settle(uid, reserved, used);
  }
};
