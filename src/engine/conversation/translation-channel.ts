import type { MessagePort } from 'node:worker_threads';
import type { MetricsRow } from '../../metrics/index.js';
import type {
  FromTranslation,
  ToTranslation,
  TranslatedSegment,
  UntranslatedSegment,
} from '../../wire/index.js';

/** Messages that the other thread may have left unread. It reads them at once, so that more means that it hangs. */
const mostUnread = 1000;
/** Ms in which nothing more is sent of a conversation whose user wants no translations. The user may change that meanwhile. */
const unwantedPause = 60_000;

/** A conversation that a shard holds, as its translations reach it. */
export interface TranslatedConversation {
  readonly uid: string;
  /** Takes translations, which the next store writes. */
  translated(segments: readonly TranslatedSegment[]): void;
}

/** How a shard has its segments translated. Nothing waits for it, and it may be away. */
export interface TranslationChannel {
  /** A conversation is held from now on. */
  hold(conversationId: string, conversation: TranslatedConversation): void;
  /** It is not held any more: what comes later is stored without the shard. */
  leave(conversationId: string): void;
  /** Segments with final words were stored; others are gone. */
  offer(conversationId: string, segments: readonly UntranslatedSegment[], removed: readonly string[]): void;
  /** Translations of segments that are not in the shard's memory any more. */
  late(uid: string, conversationId: string, segments: readonly TranslatedSegment[]): void;
}

interface HeldConversation {
  readonly conversation: TranslatedConversation;
  /** Something of it was sent. */
  isKnown: boolean;
  /** Wall clock (ms) until which its user is taken to want no translations. */
  unwantedUntil: number;
}

export interface ChannelOptions {
  readonly metrics: MetricsRow;
  /** Wall clock, ms. */
  readonly now: () => number;
}

/**
 * The shard's end of the thread that translates. Sending is a message, and never waits; where that thread hangs or has ended nothing more
 * is sent. The port keeps no thread alive; the caller, who made it, closes it.
 */
export const createTranslationChannel = (
  port: MessagePort,
  { metrics, now }: ChannelOptions,
): TranslationChannel => {
  const held = new Map<string, HeldConversation>();
  let unread = 0;
  let closed = false;

  const send = (message: ToTranslation): boolean => {
    if (closed || unread >= mostUnread) return false;
    unread++;
    port.postMessage(message);
    return true;
  };
  const late = (uid: string, conversation: string, segments: readonly TranslatedSegment[]): void => {
    if (!send({ kind: 'late', uid, conversation, segments })) {
      metrics.add('translations_dropped_total', segments.length);
    }
  };
  port.on('message', (message: FromTranslation) => {
    if (message.kind === 'read') {
      unread -= message.messages;
      return;
    }
    const known = held.get(message.conversation);
    if (message.kind === 'unwanted') {
      if (known) known.unwantedUntil = now() + unwantedPause;
      // Clients propose ids: the conversation that is held by now may be another user's.
    } else if (known?.conversation.uid === message.uid) known.conversation.translated(message.segments);
    else late(message.uid, message.conversation, message.segments);
  });
  port.on('close', () => {
    closed = true;
  });
  port.unref();

  return {
    late,
    hold: (id, conversation) => {
      held.set(id, { conversation, isKnown: false, unwantedUntil: 0 });
    },
    leave: (id) => {
      // Without this message the other thread would keep the conversation; it is small, and there is one for each.
      if (held.get(id)?.isKnown && !closed) {
        unread++;
        port.postMessage({ kind: 'left', conversation: id } satisfies ToTranslation);
      }
      held.delete(id);
    },
    offer: (id, segments, removed) => {
      const known = held.get(id);
      if (known === undefined || now() < known.unwantedUntil) return;
      if (segments.length === 0 && (removed.length === 0 || !known.isKnown)) return;
      const { uid } = known.conversation;
      if (send({ kind: 'segments', uid, conversation: id, segments, removed })) known.isKnown = true;
      else metrics.add('translations_dropped_total', segments.length);
    },
  };
};
