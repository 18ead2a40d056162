import { fixedLimits } from '../../../config/limits/index.js';
import { CochleaError } from '../../../errors/index.js';
import { readJson } from '../../../service/text/index.js';
import { longBody, type RouteContext } from '../../frame/index.js';
import { hasBatches, type Revision } from '../streams/index.js';
import { MessageError, type Received, receivedOf } from './messages.js';

/** A message in the body of a request: null if the message gets no answer, an error if it is malformed. */
export type ReadMessage = Received | MessageError | null;

const refusals = {
  json_invalid: 'The body is not JSON',
  json_too_many_values: `The body has more than ${fixedLimits.jsonValues.value} values`,
  json_too_deep: `The body has more than ${fixedLimits.jsonDepth.value} nested lists and objects`,
} as const;

/** Parses a body. @throws CochleaError `bad_request`, `texts_full`, `text_given_up` */
export const parsed = async (
  { readJson: readLong }: Pick<RouteContext, 'readJson'>,
  body: string | null | undefined,
  uid: string,
): Promise<unknown> => {
  const bytes = new Uint8Array(Buffer.from(body ?? ''));
  const read = bytes.length > longBody ? await readLong(bytes, uid) : readJson(bytes);
  if ('refused' in read) throw new CochleaError('bad_request', { why: refusals[read.refused] });
  return read.value;
};

/** Reads one message of a body. Returns a malformed message as an error. */
export const readMessage = (message: unknown): ReadMessage => {
  try {
    return receivedOf(message);
  } catch (error) {
    if (error instanceof MessageError) return error;
    throw error;
  }
};

/** Whether a message is well-formed and needs an answer. */
export const isReceived = (message: ReadMessage): message is Received =>
  message !== null && !(message instanceof MessageError);

/**
 * Returns the messages of a body.
 * @throws MessageError for a batch that is empty, too long, not supported by the revision, or contains `initialize`.
 */
export const messagesOf = (body: unknown, revision: Revision): readonly ReadMessage[] => {
  if (!Array.isArray(body)) return [readMessage(body)];
  const refuse = (why: string): never => {
    throw new MessageError(new CochleaError('message_invalid', { why }));
  };
  if (!hasBatches(revision)) refuse(`Revision ${revision} has no batches`);
  if (body.length === 0) refuse('A batch has at least one message');
  const most = fixedLimits.toolBatch.value;
  if (body.length > most) refuse(`A batch has at most ${most} messages`);
  const messages = body.map(readMessage);
  if (messages.some((message) => isReceived(message) && message.method === 'initialize')) {
    refuse('initialize cannot be part of a batch');
  }
  return messages;
};
