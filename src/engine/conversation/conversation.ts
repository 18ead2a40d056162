import type { ConversationKey, Lease, NewPhoto, PastConversation, PhotoStored } from '../../journal/index.js';
import { type SpokenSegment, silenceElapsed } from '../../transcript/index.js';
import type { TranslatedSegment } from '../../wire/index.js';
import { events, TaskChain } from '../shared/index.js';
import type { Assignment, Refuse, VoicePiece } from '../voices/index.js';
import type { ConversationContext, ConversationState, HeldConversation } from './context.js';
import type { ConversationOptions, JoinedConversation, Member } from './member.js';
import { SegmentWriter } from './segment-writer.js';
import { ConversationSpeakers } from './speakers.js';
import { Transcript } from './transcript.js';
import type { TranslatedConversation } from './translation-channel.js';
import { ConversationTranslations } from './translations.js';

/** A conversation may be taken over between opening and writing; more often in a row than this is left to the next tick. */
const fencedRetries = 3;

/** Seconds of silence that end a conversation which one of its sockets ended, where another one is left. */
const stoppedTimeout = 10;

/** A socket that joins, and the conversation that it proposed, where that one has ended. */
interface Joining {
  readonly member: Member;
  past: PastConversation | null;
}

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

  readonly #speakers: ConversationSpeakers;
  readonly #translations: ConversationTranslations;
  readonly #writer: SegmentWriter;

  #settings: ConversationOptions;
  #held: HeldConversation | null = null;
  /** What was held last, which may be opened again. */
  #before: HeldConversation | null = null;
  #lastSpeechAt = 0;
  /** One of several sockets ended the conversation, and nothing was said since. */
  #stopped = false;
  /** Of the speech since the conversation is held. */
  #probabilities = { sum: 0, count: 0 };

  constructor(key: ConversationKey, settings: ConversationOptions, context: ConversationContext) {
    this.key = key;
    this.#settings = settings;
    this.#context = context;
    const state: ConversationState = {
      uid: key.uid,
      held: () => this.#held,
      options: () => this.#settings,
      lastSpeechAt: () => this.#lastSpeechAt,
      speechProbability: () => this.#speechProbability(),
      members: () => this.#members.size,
      broadcast: (text) => this.#broadcast(text),
      hurry: () => context.hurry(this),
    };
    this.#speakers = new ConversationSpeakers(state, context);
    this.#translations = new ConversationTranslations(state, context);
    const parts = { speakers: this.#speakers, translations: this.#translations };
    this.#writer = new SegmentWriter(state, context, parts);
  }

  get uid(): string {
    return this.key.uid;
  }

  get lease(): Lease | null {
    return this.#held?.lease ?? null;
  }

  /** It has no socket, nothing waits and nothing runs: the shard may forget it. */
  get idle(): boolean {
    return this.#members.size === 0 && this.#tasks.pending === 0 && this.#writer.idle;
  }

  /** Whether a tick has something to store. */
  get dirty(): boolean {
    return this.#writer.dirty;
  }

  /** It has no socket but something to store: a store that failed is tried again, then the lease goes back. */
  get orphaned(): boolean {
    return this.#members.size === 0 && this.#tasks.pending === 0;
  }

  /**
   * Adds a socket; its options are the conversation's from now on. Resolves once the conversation is there. A socket that proposes another id than
   * that of the conversation which goes on ends it, and begins the next one.
   * @throws CochleaError journal_spill_failed
   */
  async join(member: Member): Promise<JoinedConversation> {
    this.#members.add(member);
    this.#settings = {
      ...member.conversationOptions,
      usesCustomStt: member.conversationOptions.usesCustomStt || this.#settings.usesCustomStt,
    };
    const proposed = member.proposedConversation;
    const joining: Joining = { member, past: null };
    const id = await this.#tasks.run(async () => {
      const asksOther = proposed !== null && this.#held !== null && this.lease?.conversationId !== proposed;
      // A silence that ran out between two ticks ends the old conversation before a socket continues it.
      if (asksOther || this.silent) await this.#finish();
      return (await this.#hold(joining)).lease.conversationId;
    });
    return { id, past: joining.past };
  }

  /** Whether the client of a socket that is open supplies its own transcripts. */
  #membersUseCustomStt(): boolean {
    return [...this.#members].some(({ conversationOptions }) => conversationOptions.usesCustomStt);
  }

  /**
   * Removes a socket; the last one gives the conversation back, or ends it. What was said is stored first. Where another socket is left, which may
   * have lost its network, the end waits until that one has been silent for a while, or leaves.
   */
  leave(member: Member, leaving: Leaving): Promise<void> {
    this.#context.completions.forget(member);
    return this.#tasks.run(async () => {
      // Still a member: a socket that only drains is sent its last words.
      await this.#speakers.settled(this.#members.size === 1);
      await this.#store().finally(() => this.#members.delete(member));
      const held = this.#held;
      // One that has ended already has nothing to stop: the next one has its own time.
      if (leaving === 'finish' && held !== null) this.#stopped = true;
      if (this.#members.size > 0) return;
      const isEmpty = held === null || (held.transcript.length === 0 && !held.hasPhotos);
      if (this.#stopped && !isEmpty) await this.#finish();
      else await this.#release();
    });
  }

  /**
   * Speech ended just now (or a client's own segments came): silence counts from here.
   * @param probability mean probability of the speech; 0 where it is not known.
   */
  spoke(probability = 0): void {
    this.#lastSpeechAt = this.#context.clock.wall();
    this.#stopped = false;
    if (probability > 0) {
      this.#probabilities.sum += probability;
      this.#probabilities.count++;
    }
  }

  /** Speech began after the conversation had ended: the next one is opened while the words are still being spoken. */
  wake(): void {
    if (this.#held !== null || this.#tasks.pending > 0) return;
    void this.#attempt('open', async () => {
      await this.#hold();
    });
  }

  /** Audio whose voices are to be told apart. */
  listen(piece: VoicePiece): void {
    this.#held?.voices?.listen(piece);
  }

  /** So many segments wait to be stored that what a client suggests has to wait before it is read. */
  get crowded(): boolean {
    return this.#writer.crowded;
  }

  /** The number of a speaker that a client labels. @param given the client's own number. */
  numberOf(label: string, given?: number): number {
    return this.#speakers.numbers.numberOf(label, given);
  }

  /**
   * Takes segments of a provider or of a client. They are stored, and only then sent, by the next tick.
   * @param segments each within the bounds of a segment: see `cutSegment`.
   */
  add(segments: readonly SpokenSegment[]): void {
    this.#writer.add(segments);
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
    this.#writer.show(words);
  }

  /** Takes the words of an utterance back that were shown under an id. Harmless when there are none. */
  hide(id: string): void {
    this.#writer.hide(id);
  }

  /** Takes translations of what was stored; they are stored, and only then sent, soon. */
  translated(segments: readonly TranslatedSegment[]): void {
    this.#translations.add(segments);
    this.#context.hurry(this);
  }

  /**
   * A user named a speaker: shown by the next tick, in what was stored and in what is yet to come.
   * @param refuse told why nothing was done.
   * @returns how many stored segments the client pays for: those that are named, else a part of those that may change.
   */
  assign(assignment: Assignment, refuse: Refuse): number {
    void this.#attempt('assign', () => this.#speakers.assign(assignment, refuse));
    return this.#held?.transcript.mostNamed(assignment.segmentIds) ?? 0;
  }

  /** Whether the silence has lasted long enough; never while an utterance is open or words are on their way. */
  get silent(): boolean {
    if (this.#held === null) return false;
    let speaking = false;
    let queued = this.#writer.waiting;
    for (const member of this.#members) {
      speaking ||= member.speaking;
      queued += member.queued;
    }
    return silenceElapsed({
      now: this.#context.clock.wall(),
      lastSpeechAt: this.#lastSpeechAt,
      timeout: this.#stopped ? Math.min(stoppedTimeout, this.#settings.timeout) : this.#settings.timeout,
      speaking,
      queued,
    });
  }

  /** One tick: stores new segments, ends what has fallen silent. Resolves when done; never rejects. */
  async tick(): Promise<void> {
    this.#writer.tellDropped();
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

  #speechProbability(): number | undefined {
    const { sum, count } = this.#probabilities;
    return count === 0 ? undefined : sum / count;
  }

  #attempt(what: string, task: () => Promise<void>): Promise<void> {
    return this.#tasks.run(task).catch((thrown: unknown) => {
      this.#context.log.error({ err: thrown, what }, 'conversation step failed; it is tried again');
      for (const member of this.#members) member.fault(thrown);
    });
  }

  /** Name of a conversation's voices: clients propose ids, so the same one may have been another user's. */
  #voicesOf(conversationId: string): string {
    return `${conversationId} ${this.uid}`;
  }

  #broadcast(text: string): void {
    for (const member of this.#members) member.send(text);
  }

  /** The conversation that is held, or one opened now. */
  async #hold(joining?: Joining): Promise<HeldConversation> {
    if (this.#held !== null) return this.#held;
    const { clock, journal, metrics } = this.#context;
    const proposed = joining?.member.proposedConversation ?? null;
    const opened = await journal.open({ ...this.key, ...this.#settings, now: clock.wall(), proposed });
    if (joining && opened.past) this.#tellLater(joining, opened.past);
    metrics.add(opened.resumed ? 'conversations_resumed_total' : 'conversations_opened_total');
    const { conversationId } = opened.lease;
    const voices = this.#context.voices?.of(this.#voicesOf(conversationId), opened.nextSpeaker) ?? null;
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
    this.#speakers.hold(opened, voices);
    // A takeover in mid-speech must not turn the clock of silence back.
    this.#lastSpeechAt = opened.resumed ? Math.max(this.#lastSpeechAt, opened.lastSpeechAt) : clock.wall();
    for (const member of this.#members) {
      // A socket that is just joining is told at its place in the start-up sequence.
      if (member === joining?.member) continue;
      member.send(events.conversationSession(opened.lease.conversationId, member.stream));
    }
    return held;
  }

  /** Before anything else is waited for: completion must not come between. */
  #tellLater(joining: Joining, past: PastConversation): void {
    const { clock, completions } = this.#context;
    joining.past = past;
    if (past.status === 'processing') completions.join(past.id, this.uid, joining.member, clock.wall());
  }

  /** Makes new segments durable, then sends them. A refused write goes to a conversation opened afresh. */
  async #store(): Promise<void> {
    for (let attempt = 0; attempt <= fencedRetries && this.dirty; attempt++) {
      const held = await this.#hold();
      const stored = await this.#writer.write(held);
      // Without the earlier segments nothing more can be done now; the next part of them is no repetition.
      if (stored === 'unavailable') return;
      if (stored === 'more') attempt--;
      if (stored !== 'fenced') continue;
      const { conversationId: conversation } = held.lease;
      this.#context.log.warn({ conversation }, 'conversation was taken over; opening it again');
      this.#letGo();
    }
  }

  /** The conversation is not written here any more. What translations it still gets are stored without it. */
  #letGo(): void {
    const conversationId = this.#held?.lease.conversationId;
    this.#held = null;
    this.#stopped = false;
    this.#probabilities = { sum: 0, count: 0 };
    if (conversationId !== undefined) this.#context.voices?.rest(this.#voicesOf(conversationId));
    this.#translations.leave(conversationId);
  }

  async #finish(): Promise<void> {
    await this.#speakers.settled(true);
    await this.#writer.withoutProvisional(() => this.#end());
  }

  async #end(): Promise<void> {
    await this.#store();
    if (this.#held === null || this.#writer.waiting > 0) return;
    const { lease, transcript } = this.#held;
    const { clock, completions, journal, log, metrics } = this.#context;
    const id = lease.conversationId;
    completions.expect(id, this.uid, this.#members, clock.wall());
    const outcome = await journal.finish(lease, this.#lastSpeechAt).catch((thrown: unknown) => {
      completions.cancel(id);
      throw thrown;
    });
    this.#letGo();
    this.#context.voices?.forget(this.#voicesOf(id));
    this.#speakers.reset();
    this.#settings = { ...this.#settings, usesCustomStt: this.#membersUseCustomStt() };
    log.debug({ conversation: id, outcome }, 'conversation ended');
    if (outcome === 'processing' || (outcome === 'spill' && transcript.length > 0)) {
      metrics.add('conversations_finished_total');
      await completions.processing(id);
      return;
    }
    completions.cancel(id);
    if (outcome !== 'fenced') metrics.add('conversations_discarded_total');
  }

  async #release(): Promise<void> {
    const held = this.#held;
    if (held === null) return;
    this.#letGo();
    await this.#context.journal.release(held.lease);
  }
}
