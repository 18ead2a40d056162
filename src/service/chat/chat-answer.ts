import { anySignal, firstCharacters } from '../../common/index.js';
import type { LanguageModel } from '../../llm/index.js';
import {
  type AskParts,
  extractiveAnswer,
  type FoundSources,
  findSources,
  momentFormat,
  type Source,
  sourcesForModel,
} from '../answer/index.js';
import { searchBounds } from '../rules/index.js';
import { chatBounds } from './chat-bounds.js';

/** An earlier message of the same chat. */
export interface EarlierMessage {
  readonly sender: 'human' | 'ai';
  readonly text: string;
}

export interface ChatQuestion {
  readonly text: string;
  /** Earlier messages, oldest first. */
  readonly earlier: readonly EarlierMessage[];
  /** IANA name of the zone for days in the answer. */
  readonly timeZone: string;
  /** Cancels the answer. */
  readonly signal: AbortSignal;
}

export interface ChatAnswer {
  readonly text: string;
  readonly sources: readonly Source[];
}

/** Maximum ms for the language model's answer. If it takes longer, the most relevant sentences are the answer. */
const modelTimeout = 20_000;
const answerTokens = 800;
/** Maximum code points of an earlier message that the model reads. */
const longestEarlier = 1000;

const byModel = async (
  model: LanguageModel,
  uid: string,
  { text, earlier, timeZone, signal }: ChatQuestion,
  found: FoundSources,
  onText: (part: string) => void,
): Promise<string> => {
  const answer = await model.tell(
    {
      step: 'answer',
      uid,
      instructions: [
        "You answer a person's message in a chat, from that person's own conversations, in the language of the message.",
        `It is ${momentFormat(timeZone).format(new Date())} (${timeZone}).`,
        'Use only what the conversations and the earlier messages say; when they do not answer, say so. At most five sentences, without markup.',
      ].join('\n'),
      data: JSON.stringify({
        message: firstCharacters(text, chatBounds.message),
        earlier_messages: earlier.map(({ sender, text: said }) => ({
          sender,
          text: firstCharacters(said, longestEarlier),
        })),
        conversations: sourcesForModel(found, timeZone),
      }),
      answerTokens,
      signal: anySignal(signal, AbortSignal.timeout(modelTimeout)),
    },
    onText,
  );
  return answer.trim();
};

/**
 * Answers a chat message from the user's conversations. The language model answers if it is configured and works.
 * Otherwise the most relevant sentences are the answer.
 * @param onText receives each part of the answer when it is ready. If the model fails after some parts, the returned
 * answer does not contain these parts.
 * @throws the reason of the signal; errors of the search.
 */
export const chatAnswer = async (
  parts: AskParts,
  uid: string,
  question: ChatQuestion,
  onText: (part: string) => void,
): Promise<ChatAnswer> => {
  const asked = firstCharacters(question.text, searchBounds.query);
  const { model, onFailure } = parts;
  const found = await findSources(parts, uid, asked, chatBounds.sources);
  question.signal.throwIfAborted();
  if (model !== null) {
    try {
      const text = await byModel(model, uid, question, found, onText);
      if (text !== '') return { text, sources: found.sources };
    } catch (error) {
      question.signal.throwIfAborted();
      onFailure(error);
    }
  }
  const { answer, sources } = extractiveAnswer(found.passages, question.timeZone);
  onText(answer);
  return { text: answer, sources };
};
