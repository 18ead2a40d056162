import type { SpokenSegment } from '../../transcript/index.js';
import type { LiveSegment } from '../../wire/index.js';
import { events } from '../shared/index.js';
import type { ConversationVoices } from '../voices/index.js';
import type { ConversationContext, ConversationState, HeldConversation } from './context.js';
import { noEarlierSegments, readEarlier } from './earlier-segments.js';
import { SegmentBuffer } from './segment-buffer.js';
import type { ConversationSpeakers } from './speakers.js';
import type { TranscriptDraft } from './transcript.js';
import type { ConversationTranslations } from './translations.js';

/**
 * `fenced`: another owner has the conversation and nothing was written. Else what is left to read of the earlier segments
 * before all that was said about speakers is stored: nothing, more of them, or all because they cannot be read.
 */
export type Written = 'fenced' | 'complete' | 'more' | 'unavailable';

/** What else is written, and told, with the segments of a conversation. */
export interface WriterParts {
  readonly speakers: ConversationSpeakers;
  readonly translations: ConversationTranslations;
}

/** Segments of a stream whose voices are told apart are cut and labelled when they are stored, so that labels have time to come. */
const labelled = (segment: SpokenSegment, voices: ConversationVoices | null): SpokenSegment[] =>
  segment.unlabelled && voices !== null ? voices.label(segment) : [segment];

/** The segments of the live conversation that wait, final and provisional, and how they are stored and then sent. */
export class SegmentWriter {
  readonly #state: ConversationState;
  readonly #context: ConversationContext;
  readonly #parts: WriterParts;
  readonly #incoming = new SegmentBuffer();
  /** Words of utterances that go on, by the ids that their final segments will have. */
  readonly #provisional = new Map<string, SpokenSegment>();
  /** They have changed since they were last stored. */
  #provisionalChanged = false;
  /** The conversation is about to end: provisional words are taken back, because their final ones belong to the next one. */
  #ends = false;

  constructor(state: ConversationState, context: ConversationContext, parts: WriterParts) {
    this.#state = state;
    this.#context = context;
    this.#parts = parts;
  }

  /** How many segments with final words wait. */
  get waiting(): number {
    return this.#incoming.length;
  }

  /** Nothing waits, and no words are shown that are not final. */
  get idle(): boolean {
    return this.#incoming.length + this.#provisional.size === 0;
  }

  /** So many wait that what a client suggests has to wait before it is read. */
  get crowded(): boolean {
    return this.#incoming.crowded;
  }

  /** Whether there is something to store. */
  get dirty(): boolean {
    if (this.#incoming.length > 0 || this.#provisionalChanged) return true;
    const { speakers, translations } = this.#parts;
    const held = this.#state.held();
    return (
      held !== null &&
      (speakers.assigned.changed || held.voices?.changed === true || translations.waiting > 0)
    );
  }

  /** Takes segments with final words; the oldest that wait are dropped for them, and counted, when there are too many. */
  add(segments: readonly SpokenSegment[]): void {
    for (const { id } of segments) this.hide(id);
    const dropped = this.#incoming.add(segments);
    if (dropped > 0) this.#context.metrics.add('segments_dropped_total', dropped);
  }

  /** Shows words of an utterance that goes on; they take the place of those under the same id. */
  show(words: SpokenSegment): void {
    this.#provisional.set(words.id, words);
    this.#provisionalChanged = true;
    this.#state.hurry();
  }

  /** Takes provisional words back. Harmless when there are none under this id. */
  hide(id: string): void {
    if (!this.#provisional.delete(id)) return;
    this.#provisionalChanged = true;
    this.#state.hurry();
  }

  /** Tells the sockets how many segments were dropped since the last call, once, however many there were. */
  tellDropped(): void {
    const dropped = this.#incoming.takeDropped();
    if (dropped > 0) this.#state.broadcast(events.segmentsDropped(dropped));
  }

  /** Runs a task that ends the conversation: what it stores has no provisional words, which are shown again in the next one. */
  async withoutProvisional(task: () => Promise<void>): Promise<void> {
    this.#ends = this.#provisional.size > 0;
    this.#provisionalChanged ||= this.#ends;
    try {
      await task();
    } finally {
      this.#provisionalChanged ||= this.#ends;
      this.#ends = false;
    }
  }

  /** Makes what waits durable, then sends it. What could not be stored waits again. */
  async write(held: HeldConversation): Promise<Written> {
    const batch = this.#incoming.take().flatMap((segment) => labelled(segment, held.voices));
    const isChanged = this.#provisionalChanged;
    this.#provisionalChanged = false;
    let stored: Written = 'fenced';
    try {
      stored = await this.#write(held, batch);
    } finally {
      if (stored === 'fenced') {
        this.#incoming.putBack(batch);
        this.#provisionalChanged ||= isChanged;
      }
    }
    return stored;
  }

  async #write(held: HeldConversation, batch: readonly SpokenSegment[]): Promise<Written> {
    const { journal, turns } = this.#context;
    const { lease, transcript, voices } = held;
    const { speakers, translations } = this.#parts;
    speakers.followVoices(voices);
    const { question } = speakers.assigned;
    const asks = question !== null && transcript.hasEarlier;
    const earlier = asks ? await readEarlier(journal, lease, question) : noEarlierSegments;
    await turns.next();
    const provisional = this.#ends ? [] : [...this.#provisional.values()];
    const shown = provisional.flatMap((segment) => labelled(segment, voices));
    const arrived = translations.take();
    const now = this.#context.clock.wall();
    const draft = transcript.draft(batch, speakers.assigned, earlier, voices, shown, arrived, now);
    if (voices !== null) voices.changed = false;
    const undo = (): void => {
      draft.undo();
      translations.putBack(arrived);
      if (voices !== null) voices.changed = true;
    };
    if (!(await this.#commit(held, draft, undo))) return 'fenced';
    this.#send(draft);
    speakers.compare();
    translations.stored(lease.conversationId, draft);
    if (earlier.rest === 'none') return 'complete';
    return earlier.rest === 'unavailable' ? 'unavailable' : 'more';
  }

  /** Stores a change, if it is one. @returns false when another owner has the conversation; then it was undone. */
  async #commit(
    { lease, transcript }: HeldConversation,
    draft: TranscriptDraft,
    undo: () => void,
  ): Promise<boolean> {
    const { committer, metrics, turns } = this.#context;
    const { startedAt, upserts, deletions } = draft;
    if (upserts.length === 0 && deletions.length === 0) return true;
    const change = {
      lease,
      startedAt,
      lastSpeechAt: this.#state.lastSpeechAt(),
      speechProbability: this.#state.speechProbability(),
      upserts,
      deletions,
    };
    const durability = await committer.commit(change).catch((thrown: unknown) => {
      undo();
      throw thrown;
    });
    if (durability === 'fenced') {
      undo();
      return false;
    }
    // A commit makes the segments of many conversations durable at once.
    await turns.next();
    transcript.accept(draft);
    metrics.add('segments_committed_total', upserts.length);
    return true;
  }

  #send({ onlyTranslated, removed, upserts }: TranscriptDraft): void {
    const { broadcast, members } = this.#state;
    if (removed.length > 0) broadcast(events.segmentsDeleted(removed));
    const changed: LiveSegment[] = upserts
      .map(({ segment }) => segment)
      .filter(({ id }) => !onlyTranslated.has(id));
    if (changed.length === 0) return;
    broadcast(events.segments(changed));
    this.#context.metrics.add('segments_sent_total', changed.length * members());
    this.#parts.speakers.suggest(changed);
  }
}
