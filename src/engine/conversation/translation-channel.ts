import type { MessagePort } from 'node:worker_threads';
import type { MetricsRow } from '../../metrics/index.js';
import type {
  FromTranslation,
  ToTranslation,
  TranslatedSegment,
  UntranslatedSegment,
} from '../../wire/index.js';

/**
 * Maximum number of unread messages of the translation thread. The thread reads messages at once, so a higher
 * number means that it hangs.
 */
const mostUnread = 1000;
/**
 * Time in ms for which the translation thread gets no segments after it has reported that the user wants no
 * translations. The user may change this setting meanwhile.
 */
const unwantedPause = 60_000;

/** A conversation of the shard that receives translations. */
export interface TranslatedConversation {
  readonly uid: string;
  /** Queues translations for the next store. */
  translated(segments: readonly TranslatedSegment[]): void;
}

/** Channel of a shard to the translation thread. No call waits, and all calls work without that thread. */
export interface TranslationChannel {
  /** Registers a conversation that the shard now writes. */
  hold(conversationId: string, conversation: TranslatedConversation): void;
  /**
   * Removes a conversation that the shard no longer writes. The translation thread itself stores later
   * translations.
   */
  leave(conversationId: string): void;
  /** Offers stored segments with final words for translation, and reports the ids of `removed` segments. */
  offer(conversationId: string, segments: readonly UntranslatedSegment[], removed: readonly string[]): void;
  /**
   * Sends back translations of segments that are no longer in the shard's memory. The translation thread then
   * stores them.
   */
  late(uid: string, conversationId: string, segments: readonly TranslatedSegment[]): void;
}

interface HeldConversation {
  readonly conversation: TranslatedConversation;
  /** Whether segments of the conversation were sent to the translation thread. */
  isKnown: boolean;
  /** Wall clock (ms) until which no segments are sent, because the user wants no translations. */
  unwantedUntil: number;
}

export interface ChannelOptions {
  readonly metrics: MetricsRow;
  /** Wall clock, ms. */
  readonly now: () => number;
}

/**
 * Creates the shard's end of the channel to the translation thread. Sending never waits. If that thread hangs or has
 * ended, no more segments are sent. The port does not keep the shard's thread alive. The caller created the port and
 * closes it.
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
      // Clients propose conversation ids, so another user's conversation may now have this id.
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
      // Without this message the translation thread would keep the conversation in memory. The message is small, so
      // the limit of unread messages does not apply.
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
