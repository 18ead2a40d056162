import type {
  ConversationKey,
  Journal,
  Lease,
  NewPhoto,
  PhotoBounds,
  PhotoStored,
} from '../journal/journal.js';
import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { silenceElapsed } from '../transcript/index.js';
import type { LiveSegment } from '../wire/segment.js';
import type { TranslatedSegment } from '../wire/translation.js';
import { within } from '../wire/within.js';
import { AssignedSpeakers } from './assigned-speakers.js';
import type { EngineClock } from './clock.js';
import type { Committer } from './committer.js';
import type { Completions } from './completions.js';
import type { ConversationOptions, Member } from './conversation-member.js';
import type { ConversationVoices } from './conversation-voices.js';
import { noEarlierSegments, readEarlier } from './earlier-segments.js';
import { type Assignment, ownerId, PersonLookup, type Refuse } from './person-lookup.js';
import { SegmentBuffer } from './segment-buffer.js';
import * as events from './server-events.js';
import { SuggestedNames } from './suggested-names.js';
import { TaskChain } from './task-chain.js';
import { type SpokenSegment, Transcript, type TranscriptDraft } from './transcript.js';
import type { TranslatedConversation, TranslationChannel } from './translation-channel.js';
import type { VoiceMemory } from './voice-memory.js';
import type { WorkTurns } from './work-turns.js';

/** A conversation may be taken over between opening and writing; more often in a row than this is left to the next tick. */
const fencedRetries = 3;

export interface ConversationContext {
  readonly journal: Journal;
  readonly committer: Committer;
  readonly completions: Completions;
  readonly clock: EngineClock;
  readonly metrics: MetricsRow;
  readonly log: Logger;
  readonly turns: WorkTurns;
  /** The voices of conversations, where they are told apart on this machine. */
  readonly voices: VoiceMemory | null;
  readonly photoBounds: PhotoBounds;
  /** Has segments translated; null where nothing does. */
  readonly translations: TranslationChannel | null;
  readonly translationEvent: events.TranslationEventName;
  /** Has a conversation store what it has before the next tick. */
  readonly hurry: (conversation: LiveConversation) => void;
}

/** Ms that the end of a conversation waits for its last labels. */
const voicesTimeout = 2000;

/** Segments of a stream whose voices are told apart are cut and labelled when they are stored, so that labels have time to come. */
const labelled = (segment: SpokenSegment, voices: ConversationVoices | null): SpokenSegment[] =>
  segment.unlabelled && voices !== null ? voices.label(segment) : [segment];

/** Words of an utterance that goes on, with the voice that they have by now; they are cut when they are final. */
const labelledWhole = (segment: SpokenSegment, voices: ConversationVoices | null): SpokenSegment => {
  const [{ speaker, speakerId } = segment] = labelled(segment, voices);
  return { ...segment, speaker, speakerId };
};

/** The right to write a conversation, and what is stored of it. */
interface Held {
  readonly lease: Lease;
  readonly transcript: Transcript;
  readonly voices: ConversationVoices | null;
  /** A photo was stored since it is held. */
  hasPhotos: boolean;
}

/**
 * `fenced`: another owner has the conversation and nothing was written. Else what is left to read of the earlier segments
 * before all that was said about speakers is stored: nothing, more of them, or all because they cannot be read.
 */
type Written = 'fenced' | 'complete' | 'more' | 'unavailable';

/** How a socket leaves: the conversation waits for the next one, or ends now. */
export type Leaving = 'release' | 'finish';

/**
 * What the sockets of one user, source and device say, as one conversation after the other. Shared by the sessions of
 * that key on the shard; outlives a rollover and a takeover, which only change the lease underneath.
 *
 * Everything that reads or moves the lease runs in `#tasks`, one after the other; adding segments does not.
 */
export class LiveConversation implements TranslatedConversation {
  readonly key: ConversationKey;
  readonly #context: ConversationContext;
  readonly #members = new Set<Member>();
  readonly #tasks = new TaskChain();

  #settings: ConversationOptions;
  #held: Held | null = null;
  #assigned = new AssignedSpeakers();
  readonly #people: PersonLookup;
  #names = new SuggestedNames();
  readonly #incoming = new SegmentBuffer();
  /** Words of utterances that go on, by the ids that their final segments will have. */
  /** Voices that are being compared with known ones. */
  #recognising: Promise<void> = Promise.resolve();
  readonly #provisional = new Map<string, SpokenSegment>();
  /** They have changed since they were last stored. */
  #provisionalChanged = false;
  /** Translations that are not stored yet. */
  #arrived: readonly TranslatedSegment[] = [];
  /** It is about to end: provisional words are taken back, because their final ones belong to the next conversation. */
  #ends = false;
  /** What was held last, which may be opened again. */
  #before: Held | null = null;
  #lastSpeechAt = 0;

  constructor(key: ConversationKey, settings: ConversationOptions, context: ConversationContext) {
    this.key = key;
    this.#settings = settings;
    this.#context = context;
    this.#people = new PersonLookup(context.journal, key.uid);
  }

  get uid(): string {
    return this.key.uid;
  }

  get lease(): Lease | null {
    return this.#held?.lease ?? null;
  }

  /** It has no socket, nothing waits and nothing runs: the shard may forget it. */
  get idle(): boolean {
    return (
      this.#members.size === 0 &&
      this.#tasks.pending === 0 &&
      this.#incoming.length + this.#provisional.size === 0
    );
  }

  /** Whether a tick has something to store. */
  get dirty(): boolean {
    return (
      this.#incoming.length > 0 ||
      this.#provisionalChanged ||
      (this.#held !== null &&
        (this.#assigned.changed || this.#held.voices?.changed === true || this.#arrived.length > 0))
    );
  }

  /** It has no socket but something to store: a store that failed is tried again, then the lease goes back. */
  get orphaned(): boolean {
    return this.#members.size === 0 && this.#tasks.pending === 0;
  }

  /**
   * Adds a socket; its options are the conversation's from now on. Resolves with the id once the conversation is there.
   * @throws CochleaError journal_spill_failed
   */
  join(member: Member): Promise<string> {
    this.#members.add(member);
    this.#settings = {
      ...member.conversationOptions,
      usesCustomStt: member.conversationOptions.usesCustomStt || this.#settings.usesCustomStt,
    };
    return this.#tasks.run(async () => {
      // A silence that ran out between two ticks ends the old conversation before a socket continues it.
      if (this.silent) await this.#finish();
      return (await this.#hold(member)).lease.conversationId;
    });
  }

  /** Removes a socket; the last one gives the conversation back, or ends it. What was said is stored first. */
  leave(member: Member, leaving: Leaving): Promise<void> {
    this.#context.completions.forget(member);
    return this.#tasks.run(async () => {
      // Still a member: a socket that only drains is sent its last words.
      await this.#voicesSettled(this.#members.size === 1);
      await this.#store().finally(() => this.#members.delete(member));
      if (this.#members.size > 0) return;
      const held = this.#held;
      const isEmpty = held === null || (held.transcript.length === 0 && !held.hasPhotos);
      if (leaving === 'finish' && !isEmpty) await this.#finish();
      else await this.#release();
    });
  }

  /** Speech ended just now (or a client's own segments came): silence counts from here. */
  spoke(): void {
    this.#lastSpeechAt = this.#context.clock.wall();
  }

  /** Speech began after the conversation had ended: the next one is opened while the words are still being spoken. */
  wake(): void {
    if (this.#held !== null || this.#tasks.pending > 0) return;
    void this.#attempt('open', async () => {
      await this.#hold();
    });
  }

  /** An utterance whose voices are to be told apart. @param pcm copied. @param from wall clock (ms) of its first sample. */
  listen(pcm: Int16Array, from: number): void {
    this.#held?.voices?.listen(pcm, from);
  }

  /** So many segments wait to be stored that what a client suggests has to wait before it is read. */
  get crowded(): boolean {
    return this.#incoming.crowded;
  }

  /**
   * Takes segments of a provider or of a client. They are stored, and only then sent, by the next tick.
   * @param segments each within the bounds of a segment: see `cutSegment`.
   */
  add(segments: readonly SpokenSegment[]): void {
    for (const { id } of segments) this.hide(id);
    const dropped = this.#incoming.add(segments);
    if (dropped > 0) this.#context.metrics.add('segments_dropped_total', dropped);
  }

  /**
   * Stores a photo whose file is written: in this conversation, or in the next one when this one has ended meanwhile. Silence counts
   * from here.
   * @returns `unavailable` while the database is away.
   * @throws what kept the conversation from being opened.
   */
  see(photo: NewPhoto): Promise<PhotoStored | 'unavailable'> {
    this.spoke();
    return this.#tasks.run(async () => {
      const { journal, photoBounds } = this.#context;
      for (let attempt = 0; attempt <= fencedRetries; attempt++) {
        const held = await this.#hold();
        const stored = await journal.storePhoto(held.lease, photo, photoBounds, this.#lastSpeechAt);
        if (stored === 'stored') held.hasPhotos = true;
        if (stored !== 'fenced') return stored ?? 'unavailable';
        this.#held = null;
      }
      return 'unavailable';
    });
  }

  /**
   * Shows words of an utterance that goes on, stored first like all others, in the segment that the final words will have. Soon, and not with
   * the next tick: what is said now is waited for.
   */
  show(words: SpokenSegment): void {
    this.#provisional.set(words.id, words);
    this.#provisionalChanged = true;
    this.#context.hurry(this);
  }

  /** Takes the words of an utterance back that were shown under an id. Harmless when there are none. */
  hide(id: string): void {
    if (!this.#provisional.delete(id)) return;
    this.#provisionalChanged = true;
    this.#context.hurry(this);
  }

  /** Takes translations of what was stored; they are stored, and only then sent, soon. */
  translated(segments: readonly TranslatedSegment[]): void {
    this.#arrived = [...this.#arrived, ...segments];
    this.#context.hurry(this);
  }

  /**
   * A user named a speaker: shown by the next tick, in what was stored and in what is yet to come.
   * @param refuse told why nothing was done.
   * @returns how many stored segments the client pays for: those that are named, else a part of those that may change.
   */
  assign({ speakerId, personId, personName, segmentIds }: Assignment, refuse: Refuse): number {
    void this.#attempt('assign', async () => {
      const found = await this.#people.find({ id: personId, name: personName });
      if ('refusal' in found) refuse(found.refusal);
      else {
        this.#assigned.assign(speakerId, found.personId, segmentIds);
        this.#held?.voices?.recognition?.named(speakerId, found.personId);
      }
    });
    return this.#held?.transcript.mostNamed(segmentIds) ?? 0;
  }

  /** Whether the silence has lasted long enough; never while an utterance is open or words are on their way. */
  get silent(): boolean {
    if (this.#held === null) return false;
    let speaking = false;
    let queued = this.#incoming.length;
    for (const member of this.#members) {
      speaking ||= member.speaking;
      queued += member.queued;
    }
    return silenceElapsed({
      now: this.#context.clock.wall(),
      lastSpeechAt: this.#lastSpeechAt,
      timeout: this.#settings.timeout,
      speaking,
      queued,
    });
  }

  /** One tick: stores new segments, ends what has fallen silent. Resolves when done; never rejects. */
  async tick(): Promise<void> {
    // Told once, however many there were.
    const dropped = this.#incoming.takeDropped();
    if (dropped > 0) this.#broadcast(events.segmentsDropped(dropped));
    // A store that takes longer than a tick is still running: what came since goes with the next one.
    if (this.#tasks.pending > 0) return;
    if (this.dirty) await this.#attempt('store', () => this.#store());
    if (this.#held?.transcript.full || (this.#members.size > 0 && this.silent)) {
      await this.#attempt('finish', async () => {
        if (this.#held?.transcript.full || this.silent) await this.#finish();
      });
    }
    if (this.orphaned && !this.dirty && this.#held !== null) {
      await this.#attempt('release', () => this.#release());
    }
  }

  /** Another engine has it. The next words, or the next tick that has some, open it again. */
  lost(lease: Lease): void {
    const held = this.#held?.lease;
    if (held?.conversationId !== lease.conversationId || held.epoch !== lease.epoch) return;
    this.#context.metrics.add('leases_lost_total');
    this.#letGo();
  }

  #attempt(what: string, task: () => Promise<void>): Promise<void> {
    return this.#tasks.run(task).catch((thrown: unknown) => {
      this.#context.log.error({ err: thrown, what }, 'conversation step failed; it is tried again');
      for (const member of this.#members) member.fault(thrown);
    });
  }

  #broadcast(text: string): void {
    for (const member of this.#members) member.send(text);
  }

  /** The conversation that is held, or one opened now. */
  async #hold(joining?: Member): Promise<Held> {
    if (this.#held !== null) return this.#held;
    const { clock, journal, metrics } = this.#context;
    const opened = await journal.open({ ...this.key, ...this.#settings, now: clock.wall() });
    metrics.add(opened.resumed ? 'conversations_resumed_total' : 'conversations_opened_total');
    const { conversationId } = opened.lease;
    const voices = this.#context.voices?.of(conversationId, opened.nextSpeaker) ?? null;
    const before =
      this.#before?.lease.conversationId === conversationId ? this.#before.transcript : undefined;
    const held = {
      lease: opened.lease,
      transcript: new Transcript(opened, before),
      voices,
      hasPhotos: false,
    };
    this.#held = held;
    this.#before = held;
    this.#context.translations?.hold(conversationId, this);
    this.#assigned.restore(opened.speakers);
    this.#assigned.restoreCompared(voices?.recognition?.compared ?? []);
    // A takeover in mid-speech must not turn the clock of silence back.
    this.#lastSpeechAt = opened.resumed ? Math.max(this.#lastSpeechAt, opened.lastSpeechAt) : clock.wall();
    for (const member of this.#members) {
      // A socket that is just joining is told at its place in the start-up sequence.
      if (member === joining) continue;
      member.send(events.conversationSession(opened.lease.conversationId, member.stream));
    }
    return held;
  }

  /** Makes new segments durable, then sends them. A refused write goes to a conversation opened afresh. */
  async #store(): Promise<void> {
    for (let attempt = 0; attempt <= fencedRetries && this.dirty; attempt++) {
      const held = await this.#hold();
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
      // Without the earlier segments nothing more can be done now; the next part of them is no repetition.
      if (stored === 'unavailable') return;
      if (stored === 'more') attempt--;
      if (stored !== 'fenced') continue;
      const { conversationId: conversation } = held.lease;
      this.#context.log.warn({ conversation }, 'conversation was taken over; opening it again');
      this.#letGo();
    }
  }

  async #write({ lease, transcript, voices }: Held, batch: readonly SpokenSegment[]): Promise<Written> {
    const { committer, journal, metrics, turns } = this.#context;
    for (const move of voices?.takeMoves() ?? []) {
      this.#assigned.move(move);
      voices?.recognition?.move(move);
    }
    const { question } = this.#assigned;
    const asks = question !== null && transcript.hasEarlier;
    const earlier = asks ? await readEarlier(journal, lease, question) : noEarlierSegments;
    await turns.next();
    const provisional = this.#ends ? [] : [...this.#provisional.values()];
    const shown = provisional.map((segment) => labelledWhole(segment, voices));
    const arrived = this.#arrived;
    this.#arrived = [];
    const draft = transcript.draft(batch, this.#assigned, earlier, voices, shown, arrived);
    if (voices !== null) voices.changed = false;
    const undo = (): void => {
      draft.undo();
      this.#arrived = [...arrived, ...this.#arrived];
      if (voices !== null) voices.changed = true;
    };
    const { startedAt, upserts, deletions, removed } = draft;
    if (upserts.length > 0 || deletions.length > 0) {
      const lastSpeechAt = this.#lastSpeechAt;
      const durability = await committer
        .commit({
          lease,
          ...(startedAt === undefined ? {} : { startedAt }),
          lastSpeechAt,
          upserts,
          deletions,
        })
        .catch((thrown: unknown) => {
          undo();
          throw thrown;
        });
      if (durability === 'fenced') {
        undo();
        return 'fenced';
      }
      // A commit makes the segments of many conversations durable at once.
      await turns.next();
      transcript.accept(draft);
      metrics.add('segments_committed_total', upserts.length);
    }
    if (removed.length > 0) this.#broadcast(events.segmentsDeleted(removed));
    const changed = upserts.map(({ segment }) => segment).filter(({ id }) => !draft.onlyTranslated.has(id));
    if (changed.length > 0) {
      this.#broadcast(events.segments(changed));
      metrics.add('segments_sent_total', changed.length * this.#members.size);
      this.#suggest(changed);
    }
    this.#recognise();
    this.#translate(lease, draft);
    if (earlier.rest === 'none') return 'complete';
    return earlier.rest === 'unavailable' ? 'unavailable' : 'more';
  }

  /** After the segments themselves, so that no word waits: sends translations that are stored now, and has new words translated. */
  #translate({ conversationId }: Lease, draft: TranscriptDraft): void {
    const { translations, translationEvent } = this.#context;
    if (translations === null) return;
    const { translated, elsewhere, settled, shown, removed } = draft;
    if (translated.length > 0) this.#broadcast(events.translation(translationEvent, translated));
    if (elsewhere.length > 0) translations.late(this.uid, conversationId, elsewhere);
    if (this.#settings.language !== 'multi') return;
    // Words that may still change are not translated, nor what they will be joined to.
    const fresh = settled
      .map(({ segment }) => segment)
      .filter((segment) => segment.translations.length === 0 && !shown.has(segment.id))
      .map(({ id, text }) => ({ id, text }));
    translations.offer(conversationId, fresh, removed);
  }

  /** The conversation is not written here any more. What translations it still gets are stored without it. */
  #letGo(): void {
    const { translations } = this.#context;
    const conversationId = this.#held?.lease.conversationId;
    this.#held = null;
    if (translations === null || conversationId === undefined) return;
    translations.leave(conversationId);
    if (this.#arrived.length > 0) translations.late(this.uid, conversationId, this.#arrived);
    this.#arrived = [];
  }

  /** Suggestions follow what they are about; nothing waits for them. */
  #suggest(segments: readonly LiveSegment[]): void {
    const { log } = this.#context;
    this.#names
      .look(segments, this.#settings.language, this.#people, (suggestion) => this.#broadcast(suggestion))
      .catch((thrown: unknown) => log.error({ err: thrown }, 'a name was not suggested'));
  }

  /** Has voices compared with those that are known; what is found is shown by the next tick. Nothing waits for it but the end. */
  #recognise(): void {
    this.#recognising = this.#recognising
      .then(() => this.#recogniseOnce())
      .catch((thrown: unknown) => this.#context.log.error({ err: thrown }, 'voices were not compared'));
  }

  async #recogniseOnce(): Promise<void> {
    const held = this.#held;
    const recognition = held?.voices?.recognition;
    if (!held?.voices || !recognition || !this.#settings.recognisesVoices) return;
    const { lease, transcript, voices } = held;
    const { clock, journal } = this.#context;
    const { conversationId, uid } = lease;
    const work = { journal, uid, conversationId, now: clock.wall() };
    for (const { speakerId, person } of await recognition.look(voices.speakers, work)) {
      if (this.#held !== held) return;
      const isAssigned = person?.id === ownerId || this.#settings.assignsVoices;
      this.#assigned.compare(speakerId, isAssigned ? (person?.id ?? null) : null);
      if (person !== null && !isAssigned) recognition.suggestions.set(speakerId, person);
    }
    for (const [speakerId, person] of recognition.suggestions) {
      const segment = transcript.lastOf(speakerId);
      if (segment === undefined) continue;
      recognition.suggestions.delete(speakerId);
      if (!this.#assigned.has(speakerId)) this.#broadcast(events.speakerSuggestion(segment, person));
    }
    await recognition.learn(voices.speakers, work);
  }

  async #finish(): Promise<void> {
    await this.#voicesSettled(true);
    this.#ends = this.#provisional.size > 0;
    this.#provisionalChanged ||= this.#ends;
    try {
      await this.#end();
    } finally {
      this.#provisionalChanged ||= this.#ends;
      this.#ends = false;
    }
  }

  async #end(): Promise<void> {
    await this.#store();
    if (this.#held === null || this.#incoming.length > 0) return;
    const { lease, transcript } = this.#held;
    const { clock, completions, journal, log, metrics } = this.#context;
    const id = lease.conversationId;
    completions.expect(id, this.#members, clock.wall());
    const outcome = await journal.finish(lease, this.#lastSpeechAt).catch((thrown: unknown) => {
      completions.cancel(id);
      throw thrown;
    });
    this.#letGo();
    this.#context.voices?.forget(id);
    this.#assigned = new AssignedSpeakers();
    this.#names = new SuggestedNames();
    log.debug({ conversation: id, outcome }, 'conversation ended');
    if (outcome === 'processing' || (outcome === 'spill' && transcript.length > 0)) {
      metrics.add('conversations_finished_total');
      await completions.processing(id);
      return;
    }
    completions.cancel(id);
    if (outcome !== 'fenced') metrics.add('conversations_discarded_total');
  }

  /**
   * Waits a while for the voices of what was said last, for all of them to be decided anew where it is the end, and for who they are, so that
   * what is stored has its final labels. What comes later is stored with the next tick, if there is one.
   */
  async #voicesSettled(isEnd: boolean): Promise<void> {
    const voices = this.#held?.voices;
    if (!voices) return;
    const assigned = this.#assigned;
    const compared = async (): Promise<void> => {
      await voices.settled();
      if (isEnd) assigned.review(await voices.revise(assigned.names));
      this.#recognise();
      await this.#recognising;
    };
    await within(compared(), voicesTimeout, () => undefined);
  }

  async #release(): Promise<void> {
    const held = this.#held;
    if (held === null) return;
    this.#letGo();
    this.#context.voices?.rest(held.lease.conversationId);
    await this.#context.journal.release(held.lease);
  }
}
