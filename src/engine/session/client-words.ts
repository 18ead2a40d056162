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
  /**
   * The first track. A client that transcribes its own audio counts times from the first audio of the stream, which
   * is also the first audio of this track.
   */
  readonly firstTrack: Pick<Track, 'startedAt'>;
  readonly clock: Pick<EngineClock, 'wall'>;
  readonly client: ClientSender;
}

/** Adds a client's own data to the transcript: its segments, and the people that it assigns to speakers. */
export class ClientWords {
  /** Set by the session when the stream begins. While it is undefined, segments are ignored. */
  conversation: LiveConversation | undefined;

  constructor(private readonly options: ClientWordsOptions) {}

  /** Whether the queue of segments is so full that the client must not create more. */
  get crowded(): boolean {
    return this.conversation?.crowded ?? false;
  }

  /**
   * Adds the segments of a client that transcribes its own audio. @returns the number of added segments, at most
   * `suggestedSegments`.
   */
  suggest({ segments: list, provider }: Message<'suggested_transcript'>): number {
    const { client, clock, firstTrack, request } = this.options;
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
   * Assigns a person to a speaker.
   * @returns the number of segments that the assignment may change, plus one. A message that changes nothing thus also
   * counts.
   */
  assign(message: Message<'speaker_assigned'>): number {
    const refuse = (refusal: Pick<MessageRefusal, 'reason' | 'limit'>): void =>
      this.options.client.send(events.messageRefused({ messageType: message.type, ...refusal }));
    return 1 + (this.conversation?.assign(message, refuse) ?? 0);
  }
}
