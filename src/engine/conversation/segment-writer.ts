import type { Replacement } from '../../journal/index.js';
import type { SpokenSegment } from '../../transcript/index.js';
import type { AudioPosition, LiveSegment, StoredSegment } from '../../wire/index.js';
import type { ConversationMark } from '../positions/index.js';
import { events } from '../shared/index.js';
import type { ConversationVoices } from '../voices/index.js';
import type { ConversationContext, ConversationState, HeldConversation } from './context.js';
import { noEarlierSegments, readEarlier } from './earlier-segments.js';
import { beyondStored } from './provisional-segments.js';
import { SegmentBuffer } from './segment-buffer.js';
import type { ConversationSpeakers } from './speakers.js';
import type { SpokenLanguages } from './spoken-languages.js';
import type { TranscriptDraft } from './transcript.js';
import type { ConversationTranslations } from './translations.js';

/**
 * Result of a write. `fenced`: another engine owns the conversation, and nothing was written. `complete`: all segments
 * have their new speakers. `more`: some earlier segments still need their new speakers. `unavailable`: earlier segments
 * could not be read.
 */
export type Written = 'fenced' | 'complete' | 'more' | 'unavailable';

/**
 * Late segments get positions between two whole positions, in steps of `1 / mostLate` (see `behind`). A conversation
 * has only a few late segments.
 */
const mostLate = 1024;

/** Speakers and translations of a conversation. Their changes are stored and sent together with its segments. */
export interface WriterParts {
  readonly speakers: ConversationSpeakers;
  readonly translations: ConversationTranslations;
}

/** A change to store. */
interface Commit {
  readonly draft: TranscriptDraft;
  /** The part of the draft that is stored. */
  readonly written: Pick<TranscriptDraft, 'upserts' | 'deletions'>;
  readonly languages: SpokenLanguages;
  /** Position of the audio on the device's clock, as it is after the change. */
  readonly audio: AudioPosition | undefined;
  /** Called if the change could not be stored. */
  readonly undo: () => void;
}

/**
 * Returns the part of a draft that has final words. Provisional words of a client that sends audio again are sent, but
 * not stored. Otherwise the words of the repeated audio would be stored twice after a crash of the engine.
 */
const withoutProvisional = ({
  upserts,
  deletions,
  settled,
  shown,
  final,
}: TranscriptDraft): Commit['written'] => {
  const settledById = new Map(settled.map((entry) => [entry.segment.id, entry]));
  return {
    upserts: upserts.flatMap((upsert) => {
      const { id } = upsert.segment;
      if (!shown.has(id)) return [upsert];
      const own = final.has(id) ? settledById.get(id) : undefined;
      return own === undefined ? [] : [own];
    }),
    deletions,
  };
};

/**
 * Splits a segment of a diarized stream by speaker, and labels the parts. This happens only at storage, so that the
 * speaker labels have time to arrive.
 */
const labelled = (segment: SpokenSegment, voices: ConversationVoices | null): SpokenSegment[] =>
  segment.unlabelled && voices !== null ? voices.label(segment) : [segment];

/**
 * Gives late segments positions behind all segments that were stored when this shard noticed the takeover. Late
 * segments are those that a shard stores after another engine has taken the conversation over.
 * @param count number of late segments that are already stored.
 */
const behind = (
  { position }: Replacement,
  count: number,
  upserts: readonly StoredSegment[],
): StoredSegment[] =>
  upserts.map((upsert) => ({ ...upsert, position: position + 0.5 + (count + upsert.position) / mostLate }));

/** Queues final and provisional segments of a live conversation, stores them, and then sends them. */
export class SegmentWriter {
  readonly #incoming = new SegmentBuffer();
  /** Words of open utterances. The key is the id of the segment that will get the final words. */
  readonly #provisional = new Map<string, SpokenSegment>();
  /**
   * Text of the provisional words that are stored with the conversation. The keys are the same as in `#provisional`.
   */
  #storedProvisional: ReadonlyMap<string, string> = new Map();
  /** Whether the provisional words have changed since they were last stored. */
  #provisionalChanged = false;
  /**
   * Whether the conversation is about to end. Provisional words are then withdrawn, because their final words will
   * belong to the next conversation.
   */
  #ends = false;

  constructor(
    private readonly state: ConversationState,
    private readonly context: ConversationContext,
    private readonly parts: WriterParts,
  ) {}

  /** Number of waiting segments with final words. */
  get waiting(): number {
    return this.#incoming.length;
  }

  /** Whether no segment waits and no provisional words are shown. */
  get idle(): boolean {
    return this.#incoming.length + this.#provisional.size === 0;
  }

  /**
   * Whether the queue of segments is so full that the engine must not yet read further segments of a client that
   * transcribes its own audio.
   */
  get crowded(): boolean {
    return this.#incoming.crowded;
  }

  /** Whether a tick has something to store. */
  get dirty(): boolean {
    if (this.#incoming.length > 0 || this.#provisionalChanged) return true;
    const { speakers, translations } = this.parts;
    const held = this.state.held();
    return (
      held !== null &&
      (speakers.assigned.changed || held.voices?.changed === true || translations.waiting > 0)
    );
  }

  /** Queues segments with final words. If too many wait, the oldest are dropped and counted. */
  add(segments: readonly SpokenSegment[]): void {
    for (const { id } of segments) this.hide(id);
    const dropped = this.#incoming.add(segments);
    if (dropped === 0) return;
    this.context.metrics.add('segments_dropped_total', dropped);
    this.state.positions.lost();
  }

  /** Shows words of an open utterance. They replace earlier words with the same id. */
  show(words: SpokenSegment): void {
    this.#provisional.set(words.id, words);
    this.#provisionalChanged = true;
    this.state.hurry();
  }

  /** Withdraws the provisional words of an id, if any. */
  hide(id: string): void {
    if (!this.#provisional.delete(id)) return;
    this.#provisionalChanged = true;
    this.state.hurry();
  }

  /** Informs all sockets, in one message, of the number of segments dropped since the last call. */
  tellDropped(): void {
    const dropped = this.#incoming.takeDropped();
    if (dropped > 0) this.state.broadcast(events.segmentsDropped(dropped));
  }

  /**
   * Runs a task that ends the conversation. During the task no provisional words are stored. The next conversation
   * shows them again.
   */
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

  /** Drops the waiting segments, because the device sends their audio again. */
  discard(): void {
    this.#incoming.take();
  }

  /** Stores the waiting segments, then sends them. Segments that could not be stored return to the queue. */
  async write(held: HeldConversation): Promise<Written> {
    const waiting = this.#incoming.take();
    const { positions } = this.state;
    // These words are not stored, because the device sends their audio again, to the newer stream on another engine.
    if (held.replacement && positions.resends) {
      this.#provisionalChanged = false;
      return 'complete';
    }
    const mark = positions.mark();
    const fresh = held.replacement ? beyondStored(waiting, this.#storedProvisional) : waiting;
    const batch = fresh.flatMap((segment) => labelled(segment, held.voices));
    const isChanged = this.#provisionalChanged;
    this.#provisionalChanged = false;
    let stored: Written = 'fenced';
    try {
      stored = await this.#write(held, batch, mark);
    } finally {
      if (stored === 'fenced') {
        this.#incoming.putBack(batch);
        this.#provisionalChanged ||= isChanged;
      } else positions.stored(mark);
    }
    return stored;
  }

  async #write(
    held: HeldConversation,
    batch: readonly SpokenSegment[],
    mark: ConversationMark,
  ): Promise<Written> {
    const { journal, turns } = this.context;
    const { lease, transcript, voices } = held;
    const { speakers, translations } = this.parts;
    speakers.followVoices(voices);
    const { question } = speakers.assigned;
    const asks = question !== null && transcript.hasEarlier;
    const earlier = asks ? await readEarlier(journal, lease, question) : noEarlierSegments;
    await turns.next();
    const provisional = this.#ends || held.replacement ? [] : [...this.#provisional.values()];
    const shown = provisional.flatMap((segment) => labelled(segment, voices));
    const arrived = translations.take();
    const now = this.context.clock.wall();
    const draft = transcript.draft(batch, speakers.assigned, earlier, voices, shown, arrived, now);
    if (voices !== null) voices.changed = false;
    const undo = (): void => {
      draft.undo();
      translations.putBack(arrived);
      if (voices !== null) voices.changed = true;
    };
    const languages = held.languages.with(batch, this.state.options().language);
    const { resends } = this.state.positions;
    const written = resends ? withoutProvisional(draft) : draft;
    if (!(await this.#commit(held, { draft, written, languages, audio: mark.stored, undo }))) return 'fenced';
    if (resends) this.#storedProvisional = new Map();
    else if (!held.replacement)
      this.#storedProvisional = new Map(provisional.map(({ id, text }) => [id, text]));
    this.#send(draft);
    speakers.compare();
    translations.stored(lease.conversationId, draft);
    if (earlier.rest === 'none') return 'complete';
    return earlier.rest === 'unavailable' ? 'unavailable' : 'more';
  }

  /**
   * Stores a change, unless it is empty. @returns false if another engine owns the conversation. The change is then
   * undone.
   */
  async #commit(
    held: HeldConversation,
    { draft, written, languages, audio, undo }: Commit,
  ): Promise<boolean> {
    const { committer, journal, metrics, turns } = this.context;
    const { lease, transcript } = held;
    const { upserts, deletions } = written;
    const { positions } = this.state;
    if (upserts.length === 0 && deletions.length === 0) {
      if (draft.upserts.length > 0 || draft.deletions.length > 0) transcript.accept(draft);
      return true;
    }
    const voices = held.replacement ? undefined : this.parts.speakers.voicesToStore(held, false);
    const change = {
      lease,
      // If the devices send audio again, provisional words that were not stored may have set the start of the
      // conversation. The start is then stored with every change.
      startedAt: positions.resends ? draft.placed.startedAt - draft.placed.ahead : draft.startedAt,
      lastSpeechAt: this.state.lastSpeechAt(),
      speechProbability: this.state.speechProbability(),
      spoken: languages.change,
      upserts,
      deletions,
      voices: voices?.bytes,
      audio,
      resends: positions.resends,
    };
    const stored = held.replacement
      ? journal.commitLate({ ...change, upserts: behind(held.replacement, transcript.length, upserts) })
      : committer.commit(change);
    const durability = await stored.catch((thrown: unknown) => {
      undo();
      throw thrown;
    });
    if (durability === 'fenced') {
      undo();
      return false;
    }
    if (voices !== undefined && durability === 'database') held.voices?.noteStored(voices);
    if (audio !== undefined) positions.wrote(audio);
    // One commit resumes the writes of many conversations at the same moment. Each write waits until `turns` lets it
    // continue, so that together they do not block the thread.
    await turns.next();
    transcript.accept(draft);
    held.languages = languages.accepted();
    metrics.add('segments_committed_total', upserts.length);
    return true;
  }

  #send({ onlyTranslated, removed, upserts }: TranscriptDraft): void {
    const { broadcast, members } = this.state;
    if (removed.length > 0) broadcast(events.segmentsDeleted(removed));
    const changed: LiveSegment[] = upserts
      .map(({ segment }) => segment)
      .filter(({ id }) => !onlyTranslated.has(id));
    if (changed.length === 0) return;
    broadcast(events.segments(changed));
    this.context.metrics.add('segments_sent_total', changed.length * members());
    this.parts.speakers.suggest(changed);
  }
}
