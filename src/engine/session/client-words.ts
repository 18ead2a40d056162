import { areMilliseconds, type OpenRequest } from '../../wire/index.js';
import type { LiveConversation } from '../conversation/index.js';
import {
  type ClientMessage,
  type ClientSender,
  type EngineClock,
  events,
  type MessageRefusal,
  timesInMilliseconds,
  tooManySegments,
} from '../shared/index.js';
import { suggestedSegments } from './suggested-segments.js';
import type { Track } from './track.js';

type Message<Type extends ClientMessage['type']> = Extract<ClientMessage, { type: Type }>;

export interface ClientWordsOptions {
  readonly request: OpenRequest;
  /** The client's own service counts from the first audio it was given, which is the first that this track was given. */
  readonly firstTrack: Pick<Track, 'startedAt'>;
  readonly clock: Pick<EngineClock, 'wall'>;
  readonly client: ClientSender;
}

/** What one client says about the words of its conversation: segments of its own, and who speaks. */
export class ClientWords {
  readonly #options: ClientWordsOptions;
  /** Set by the session when the stream begins; without it nothing is taken. */
  conversation: LiveConversation | undefined;

  constructor(options: ClientWordsOptions) {
    this.#options = options;
  }

  /** Whether so many segments wait to be stored that no more are to be made. */
  get crowded(): boolean {
    return this.conversation?.crowded ?? false;
  }

  /** Takes the client's own segments, where it transcribes itself. @returns how many were made: at most the limit `suggestedSegments`. */
  suggest({ segments: list, provider }: Message<'suggested_transcript'>): number {
    const { client, clock, firstTrack, request } = this.#options;
    const { conversation } = this;
    if (!request.customStt || conversation === undefined || list.length === 0) return 0;
    const origin = firstTrack.startedAt ?? request.acceptedAt;
    const now = clock.wall();
    const refuse = (refusal: MessageRefusal): number => {
      client.send(events.messageRefused(refusal));
      return 0;
    };
    if (areMilliseconds(list, (now - origin) / 1000)) return refuse(timesInMilliseconds);
    const numberOf = (label: string, given?: number): number => conversation.numberOf(label, given);
    const segments = suggestedSegments(list, { provider, origin, now, numberOf });
    if (segments === null) return refuse(tooManySegments);
    conversation.add(segments);
    conversation.wake();
    conversation.spoke();
    return segments.length;
  }

  /**
   * A user names a speaker.
   * @returns how many segments this may change, and one for the message itself, so that those that change nothing are not free.
   */
  assign(message: Message<'speaker_assigned'>): number {
    const refuse = (refusal: Pick<MessageRefusal, 'reason' | 'limit'>): void =>
      this.#options.client.send(events.messageRefused({ messageType: message.type, ...refusal }));
    return 1 + (this.conversation?.assign(message, refuse) ?? 0);
  }
}
