import type { TranslatedSegment } from '../../wire/index.js';
import { events } from '../shared/index.js';
import type { ConversationContext, ConversationState } from './context.js';
import type { TranscriptDraft } from './transcript.js';

/** Queues arrived translations of a live conversation for storage, and offers new words for translation. */
export class ConversationTranslations {
  #arrived: readonly TranslatedSegment[] = [];

  constructor(
    private readonly state: ConversationState,
    private readonly context: Pick<ConversationContext, 'translations' | 'translationEvent'>,
  ) {}

  /** Number of translations that wait to be stored. */
  get waiting(): number {
    return this.#arrived.length;
  }

  /** Queues translations of stored segments. */
  add(segments: readonly TranslatedSegment[]): void {
    this.#arrived = [...this.#arrived, ...segments];
  }

  /** Removes and returns all waiting translations. */
  take(): readonly TranslatedSegment[] {
    const arrived = this.#arrived;
    this.#arrived = [];
    return arrived;
  }

  /** Puts translations that could not be stored back at the front of the queue. */
  putBack(arrived: readonly TranslatedSegment[]): void {
    this.#arrived = [...arrived, ...this.#arrived];
  }

  /** Sends the translations that were just stored, and offers new words for translation. Call it after the segments were sent. */
  stored(conversationId: string, draft: TranscriptDraft): void {
    const { translations, translationEvent } = this.context;
    if (translations === null) return;
    const { translated, elsewhere, settled, shown, removed } = draft;
    if (translated.length > 0) this.state.broadcast(events.translation(translationEvent, translated));
    if (elsewhere.length > 0) translations.late(this.state.uid, conversationId, elsewhere);
    if (this.state.options().language !== 'multi') return;
    // Segments with provisional words are not translated, because their text will change.
    const fresh = settled
      .map(({ segment }) => segment)
      .filter((segment) => segment.translations.length === 0 && !shown.has(segment.id))
      .map(({ id, text }) => ({ id, text }));
    translations.offer(conversationId, fresh, removed);
  }

  /**
   * Leaves a conversation that this shard no longer writes. The translation thread stores translations that arrive
   * later.
   */
  leave(conversationId: string | undefined): void {
    const { translations } = this.context;
    if (translations === null || conversationId === undefined) return;
    translations.leave(conversationId);
    if (this.#arrived.length > 0) translations.late(this.state.uid, conversationId, this.#arrived);
    this.#arrived = [];
  }
}
