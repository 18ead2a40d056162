import { publicAddress } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import { ClientAddresses } from '../../identity/index.js';
import type { RouteContext, RouteInput } from '../frame/index.js';
import {
  askedRevision,
  checkRevision,
  errorText,
  headerOf,
  isReceived,
  type MessageAnswerer,
  MessageError,
  messagesOf,
  parsed,
  type ReadMessage,
  readMessage,
} from './protocol/index.js';
import { type AnswerMessage, isRevision, revisions, type ToolStream } from './streams/index.js';

type Input = RouteInput<undefined, undefined, undefined, string | null | undefined>;

/** Handles requests of the older transport. */
export interface OlderTransport {
  /** Opens a stream. @throws CochleaError draining, overloaded, too_many_streams */
  open(input: Input, url: string): Promise<void>;
  /** Returns the id of the stream to which a request sends messages; undefined for a request of the newer transport. */
  streamOf(request: Input['request']): string | undefined;
  /**
   * Takes the messages of a request and answers them on its stream.
   * @throws CochleaError session_unknown if no sidecar has the stream, or if the stream belongs to another user;
   * overloaded
   */
  post(input: Input, id: string): Promise<unknown>;
}

/** Maximum length of a stream id in requests. Valid ids are shorter. */
const longestId = 100;

/** Creates the transport of revision 2024-11-05. A client opens a stream, sends messages in requests, and gets answers on the stream. */
export const olderTransport = (context: RouteContext, answerer: MessageAnswerer): OlderTransport => {
  const { settings, limits, toolStreams } = context;
  // The front has already found the client address. Loopback clients are exempt.
  const addresses = new ClientAddresses(['loopback']);

  const readAll = (
    given: unknown,
    stream: ToolStream,
    revision: (typeof revisions)[number],
  ): readonly ReadMessage[] => {
    try {
      const messages = messagesOf(given, revision);
      const [first] = messages;
      if (first !== undefined && isReceived(first) && first.method === 'initialize') {
        stream.revision = askedRevision(first);
      }
      return messages;
    } catch (error) {
      if (error instanceof MessageError) return [error];
      throw error;
    }
  };

  const answer: AnswerMessage = async (stream, { scopes, revision: named, message: text }) => {
    // A client that opens a new stream after a lost one does not send `initialize` again. Its request names the
    // revision of the lost stream.
    const revision = stream.revision ?? (isRevision(named) ? named : revisions[0]);
    const conversation = { uid: stream.uid, scopes, revision, request: stream.request };
    let length = 0;
    for (const message of readAll(JSON.parse(text), stream, revision)) {
      if (!stream.isOpen) return;
      if (message === null) continue;
      let answered: string;
      if (message instanceof MessageError) answered = errorText(message.id, message.answered);
      else if (length > fixedLimits.toolAnswers.value) {
        answered = errorText(message.id, new CochleaError('batch_answers_long'));
      } else answered = await answerer.answer(message, conversation);
      length += answered.length;
      toolStreams.send(stream, answered);
    }
  };

  return {
    async open({ caller, request, reply }, url) {
      const path = new URL(publicAddress(settings)).pathname.replace(/\/$/, '') + url;
      const client = addresses.of(request.ip, '');
      await toolStreams.open({ uid: caller.uid, client, path, request, reply, answer });
    },

    streamOf({ query }) {
      const { sessionId } = query as { sessionId?: unknown };
      return typeof sessionId === 'string' ? sessionId : undefined;
    },

    async post({ caller, request, reply, body }, id) {
      const given = await parsed(context, body, caller.uid);
      const first = Array.isArray(given) ? null : readMessage(given);
      if (!isReceived(first) || first.method !== 'initialize') checkRevision(request);
      if (id.length > longestId) throw new CochleaError('session_unknown');
      if (Array.isArray(given) && given.length > 1) {
        const more = Math.min(given.length, fixedLimits.toolBatch.value) - 1;
        await limits.consumeMore(caller.uid, 'mcp:sse', more, request);
      }
      const message = {
        scopes: caller.scopes ?? [],
        revision: headerOf(request, 'mcp-protocol-version') ?? null,
        // The body parser accepts a byte order mark. The mark is removed, because the sidecar with the stream parses
        // the text again.
        message: body!.replace(/^\uFEFF/, ''),
      };
      const stream = toolStreams.find(caller.uid, id);
      if (stream === undefined) {
        await toolStreams.pass(caller.uid, { stream: id, ...message });
        return reply.status(202).send();
      }
      stream.authorization = request.headers.authorization ?? '';
      // Answers the request before the tool runs, because some clients of this transport wait only a few seconds.
      reply.status(202).send();
      await stream.answer(message);
      return reply;
    },
  };
};
