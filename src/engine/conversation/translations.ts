import type { TranslatedSegment } from '../../wire/index.js';
import { events } from '../shared/index.js';
import type { ConversationContext, ConversationState } from './context.js';
import type { TranscriptDraft } from './transcript.js';

/** The translations of the live conversation: those that are not stored yet, and the words that are offered to be translated. */
export class ConversationTranslations {
  readonly #state: ConversationState;
  readonly #context: Pick<ConversationContext, 'translations' | 'translationEvent'>;
  #arrived: readonly TranslatedSegment[] = [];

  constructor(
    state: ConversationState,
    context: Pick<ConversationContext, 'translations' | 'translationEvent'>,
  ) {
    this.#state = state;
    this.#context = context;
  }

  /** How many are to be stored. */
  get waiting(): number {
    return this.#arrived.length;
  }

  /** Takes translations of what was stored. */
  add(segments: readonly TranslatedSegment[]): void {
    this.#arrived = [...this.#arrived, ...segments];
  }

  /** Takes all out that are to be stored. */
  take(): readonly TranslatedSegment[] {
    const arrived = this.#arrived;
    this.#arrived = [];
    return arrived;
  }

  /** What was taken could not be stored: it is first again. */
  putBack(arrived: readonly TranslatedSegment[]): void {
    this.#arrived = [...arrived, ...this.#arrived];
  }

  /** After the segments themselves, so that no word waits: sends translations that are stored now, and has new words translated. */
  stored(conversationId: string, draft: TranscriptDraft): void {
    const { translations, translationEvent } = this.#context;
    if (translations === null) return;
    const { translated, elsewhere, settled, shown, removed } = draft;
    if (translated.length > 0) this.#state.broadcast(events.translation(translationEvent, translated));
    if (elsewhere.length > 0) translations.late(this.#state.uid, conversationId, elsewhere);
    if (this.#state.options().language !== 'multi') return;
    // Words that may still change are not translated, nor what they will be joined to.
    const fresh = settled
      .map(({ segment }) => segment)
      .filter((segment) => segment.translations.length === 0 && !shown.has(segment.id))
      .map(({ id, text }) => ({ id, text }));
    translations.offer(conversationId, fresh, removed);
  }

  /** The conversation is not written here any more. What translations it still gets are stored without it. */
  leave(conversationId: string | undefined): void {
    const { translations } = this.#context;
    if (translations === null || conversationId === undefined) return;
    translations.leave(conversationId);
    if (this.#arrived.length > 0) translations.late(this.#state.uid, conversationId, this.#arrived);
    this.#arrived = [];
  }
}
