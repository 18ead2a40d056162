import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import { firstCharacters } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import { chatMessageRecord } from '../../wire/records/index.js';
import type { AskParts, Source } from '../answer/index.js';
import { chatMessages, getUserSettings, timeZoneNamed } from '../records/index.js';
import { createdWith, invalid } from '../rules/index.js';
import { type ChatAnswer, chatAnswer } from './chat-answer.js';
import { chatBounds } from './chat-bounds.js';

/** A conversation that an answer is based on. */
export interface ChatSource {
  readonly id: string;
  readonly created_at: string;
  readonly structured: {
    readonly title: string;
    readonly overview: string;
    readonly emoji: string;
    readonly category: string;
  };
}

/**
 * A chat message in the form that clients receive. Some members are always empty or null. They are present, because
 * clients of compatible services expect them.
 */
export interface ChatMessage {
  readonly id: string;
  readonly text: string;
  readonly created_at: string;
  readonly sender: 'human' | 'ai';
  readonly type: string;
  readonly app_id: null;
  readonly chat_session_id: null;
  readonly memories_id: readonly string[];
  readonly memories: readonly ChatSource[];
  readonly from_external_integration: boolean;
}

/** Identifies a message that a client may send again. */
export interface Repeatable {
  /** The idempotency key of the client's request. */
  readonly key: string;
  /** The content of the request. A repetition with the same key must have the same content. */
  readonly given: unknown;
}

export interface SentMessage {
  readonly text: string;
  /** Absent if the client sent no key. A message without a key always counts as new. */
  readonly repeatable?: Repeatable | undefined;
  /** IANA name. Default: the user's zone. */
  readonly timeZone?: string | undefined;
  /** Cancels the answer. After the abort nothing more is stored. */
  readonly signal: AbortSignal;
}

/** A stored message. */
export interface StoredMessage {
  readonly message: ChatMessage;
  /**
   * Answers the message and stores the answer. If no answer can be made, an apology is stored as the answer.
   * @param onText receives the parts of an answer, one after the other. If the parts differ from the returned answer,
   * only the returned answer is valid.
   * @throws only the reason of the signal.
   */
  answer(onText: (part: string) => void): Promise<ChatMessage>;
}

export interface ChatParts extends AskParts {
  /** Called with the error if no answer could be made or stored. */
  readonly onUnanswered: (error: unknown) => void;
}

/** The apology: the answer that is stored if no other answer could be made. */
export const apology = 'I could not answer that just now. Please ask again in a moment.';

const cardOf = ({ conversation: { id, created_at, structured } }: Source): ChatSource => {
  const { title, overview, emoji, category } = structured;
  return { id, created_at, structured: { title, overview, emoji, category } };
};

type Stored = Pick<ChatMessage, 'id' | 'text' | 'created_at' | 'sender' | 'type'>;

const messageOf = (stored: Stored, sources: readonly Source[] = []): ChatMessage => ({
  id: stored.id,
  text: stored.text,
  created_at: stored.created_at,
  sender: stored.sender,
  type: stored.type,
  app_id: null,
  chat_session_id: null,
  memories_id: sources.map(({ conversation }) => conversation.id),
  memories: sources.map(cardOf),
  from_external_integration: false,
});

const messageBy = <Sender extends ChatMessage['sender']>(sender: Sender, text: string) => ({
  sender,
  type: 'text',
  text: firstCharacters(text, chatMessageRecord.fields.text.most),
});

/** The operation under which idempotency keys of chat messages are stored. */
const operation = 'chat';

/** Returns the id of the answer to a message. A second answer to the same message gets the same id. */
const answerIdOf = (message: string): string => uuidv5('answer', message);

/**
 * Returns the text of the message that was stored with a key; null if the key is unused.
 * @throws CochleaError `idempotency_conflict` if the key was used with different content, `idempotency_gone` if its
 * message was deleted.
 */
export const sentBefore = async (
  { sql, inTurn }: ChatParts,
  uid: string,
  { key, given }: Repeatable,
): Promise<string | null> =>
  inTurn(uid, async () => {
    const ids = await createdWith(sql, { uid, operation, key, given });
    if (ids === null) return null;
    const [found] = await chatMessages.byIds(sql, uid, ids);
    if (found === undefined) throw new CochleaError('idempotency_gone');
    return found.text;
  });

/**
 * Stores a user's message. The method `answer` of the returned object answers the message from the user's
 * conversations. A repeated message is not stored again, and `answer` returns its stored answer. The message is
 * answered again only if the first answer was never finished.
 * @throws CochleaError `validation_failed`, `records_full`, `idempotency_conflict`, `idempotency_gone`,
 * `record_not_found` for a deleted user.
 */
export const storeMessage = async (
  parts: ChatParts,
  uid: string,
  { text: sent, timeZone: named, signal, repeatable }: SentMessage,
): Promise<StoredMessage> => {
  const { sql, inTurn, onUnanswered } = parts;
  const id = uuidv7();
  const { timeZone, items, message } = await inTurn(uid, async () => {
    const timeZone = timeZoneNamed(named ?? (await getUserSettings(sql, uid)).time_zone);
    if (timeZone === null)
      throw invalid('timezone must be an IANA name such as Europe/Berlin', 'body.timezone');
    const { items } = await chatMessages.list(sql, uid, { limit: chatBounds.history });
    const [stored] = await chatMessages.write(
      sql,
      uid,
      [{ ...messageBy('human', sent), id }],
      repeatable?.key,
      repeatable && { operation, given: repeatable.given },
    );
    return { timeZone, items, message: messageOf(stored!) };
  });
  const isRepeated = message.id !== id;
  // The model reads the stored text of a repeated message, so that every attempt to answer reads the same text.
  const { text } = isRepeated ? message : { text: sent };
  const earlier = items
    .filter((item) => !isRepeated || (item.id !== message.id && item.created_at <= message.created_at))
    .toReversed();
  const answerId = answerIdOf(message.id);

  const made = async (onText: (part: string) => void): Promise<ChatAnswer> => {
    try {
      return await chatAnswer(parts, uid, { text, earlier, timeZone, signal }, onText);
    } catch (error) {
      signal.throwIfAborted();
      onUnanswered(error);
      return { text: apology, sources: [] };
    }
  };

  const storedAnswer = async (): Promise<ChatMessage | undefined> => {
    const [found] = await inTurn(uid, () => chatMessages.byIds(sql, uid, [answerId]));
    return found && messageOf(found);
  };

  const answerAnew = async (onText: (part: string) => void): Promise<ChatMessage> => {
    const { text: said, sources } = await made(onText);
    signal.throwIfAborted();
    const ai = { ...messageBy('ai', said), id: answerId };
    // Messages with equal times are listed by id. The answer gets a later time, so that it comes after its message in
    // the list.
    const createdAt = new Date(Math.max(Date.now(), Date.parse(message.created_at) + 1));
    try {
      const [written] = await inTurn(uid, () =>
        chatMessages.write(sql, uid, [{ ...ai, created_at: createdAt }]),
      );
      return messageOf(written!, sources);
    } catch (error) {
      onUnanswered(error);
      return messageOf({ ...ai, id: `unsaved-${message.id}`, created_at: createdAt.toISOString() }, sources);
    }
  };

  return {
    message,
    async answer(onText) {
      const found = isRepeated ? await storedAnswer() : undefined;
      if (found === undefined) return answerAnew(onText);
      onText(found.text);
      return found;
    },
  };
};
