import { CochleaError } from '../../errors/index.js';
import type { ConversationKey } from '../../journal/feeds/index.js';
import type { Lease, NewPhoto, PastConversation, PhotoStored } from '../../journal/index.js';
import { type SpokenSegment, silenceElapsed } from '../../transcript/index.js';
import type { TranslatedSegment } from '../../wire/index.js';
import { ConversationPositions } from '../positions/index.js';
import { events, TaskChain } from '../shared/index.js';
import type { Assignment, Refuse, VoicePiece } from '../voices/index.js';
import type { ConversationContext, ConversationState, HeldConversation } from './context.js';
import type { ConversationOptions, JoinedConversation, Member } from './member.js';
import { SegmentWriter } from './segment-writer.js';
import { ConversationSpeakers } from './speakers.js';
import { SpokenLanguages } from './spoken-languages.js';
import { Transcript } from './transcript.js';
import type { TranslatedConversation } from './translation-channel.js';
import { ConversationTranslations } from './translations.js';

/**
 * Maximum number of retries of a failed write. A write fails if another engine has taken the conversation over since
 * this shard opened it. After the last retry, the next tick tries again.
 */
const fencedRetries = 3;

/**
 * One socket may end a conversation while another socket is still open. The conversation then ends after this many
 * seconds of silence.
 */
const stoppedTimeout = 10;

/** A socket that joins, and the conversation that it proposed, if that conversation has already ended. */
interface Joining {
  readonly member: Member;
  past: PastConversation | null;
}

/**
 * What happens to the conversation when its last socket leaves. `release`: the conversation waits for the next
 * socket. `finish`: the conversation ends now.
 */
export type Leaving = 'release' | 'finish';

/**
 * Turns the speech of one user, source and device into a sequence of conversations. All sessions of the shard with the
 * same user, source and device share one object of this class. When a conversation ends or another engine takes it
 * over, the object stays and only its lease changes.
 *
 * Tasks that read or change the lease run one after the other in `#tasks`. Adding segments needs no lease and runs at
 * once.
 */
export class LiveConversation implements TranslatedConversation {
  readonly key: ConversationKey;
  readonly #members = new Set<Member>();
  readonly #tasks = new TaskChain();

  readonly #speakers: ConversationSpeakers;
  readonly #translations: ConversationTranslations;
  readonly #writer: SegmentWriter;
  readonly #positions: ConversationPositions;

  #held: HeldConversation | null = null;
  /** The conversation whose lease this shard lost to another engine; null once this shard has taken a new lease. */
  #lost: HeldConversation | null = null;
  /** The conversation of the last lease. It is used again if the shard opens the same conversation again. */
  #before: HeldConversation | null = null;
  /**
   * Time at which the last lease was taken, in microseconds of the database's clock; undefined if this time was not
   * read.
   */
  #takenAt: number | undefined;
  #lastSpeechAt = 0;
  /** Whether one of several sockets ended the conversation and no speech has followed. */
  #stopped = false;
  /** Speech probabilities since the lease was taken. */
  #probabilities = { sum: 0, count: 0 };

  constructor(
    key: ConversationKey,
    private settings: ConversationOptions,
    private readonly context: ConversationContext,
  ) {
    this.key = key;
    this.#positions = new ConversationPositions(key, context.journal, this.#members);
    const state: ConversationState = {
      uid: key.uid,
      held: () => this.#held,
      options: () => this.settings,
      lastSpeechAt: () => this.#lastSpeechAt,
      speechProbability: () => this.#speechProbability(),
      members: () => this.#members.size,
      positions: this.#positions,
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

  /** Whether the shard may remove this object, because it has no socket, no waiting segments and no running task. */
  get idle(): boolean {
    return this.#members.size === 0 && this.#tasks.pending === 0 && this.#writer.idle;
  }

  /** Whether the next tick has something to store. */
  get dirty(): boolean {
    return this.#writer.dirty;
  }

  /**
   * Whether the conversation has no socket and no running task. The tick then stores segments that an earlier write
   * failed to store, and releases the lease.
   */
  get orphaned(): boolean {
    return this.#members.size === 0 && this.#tasks.pending === 0;
  }

  /**
   * Adds a socket. Its options replace the options of the conversation. Resolves when the conversation is open for
   * writing. A socket that proposes a different conversation id ends the current conversation and starts the next one.
   * @throws CochleaError journal_spill_failed. Also stream_replaced while a newer stream on another engine has the
   * conversation, but only within `replacedPause` after this shard closed its own stream with the same
   * `ConversationKey`.
   */
  async join(member: Member): Promise<JoinedConversation> {
    this.#members.add(member);
    this.settings = {
      ...member.conversationOptions,
      usesCustomStt: member.conversationOptions.usesCustomStt || this.settings.usesCustomStt,
    };
    const proposed = member.proposedConversation;
    const joining: Joining = { member, past: null };
    if (member.positions !== null) await this.#positions.number(member);
    const { held, resumeAt } = await this.#tasks.run(async () => {
      const asksOther = proposed !== null && this.#held !== null && this.lease?.conversationId !== proposed;
      // If the silence timeout passed since the last tick, the current conversation ends before this socket joins.
      if (this.#positions.supersede(member) && this.dirty) await this.#store();
      if (asksOther || this.silent) await this.#finish();
      await this.#overtake();
      const held = await this.#hold(joining);
      this.#announce();
      return { held, resumeAt: await this.#positions.resume(member, held.transcript.end) };
    });
    const { lease, languages } = held;
    return { id: lease.conversationId, past: joining.past, language: languages.main, resumeAt };
  }

  /** Whether an open socket belongs to a client that transcribes its own audio. */
  #membersUseCustomStt(): boolean {
    return [...this.#members].some(({ conversationOptions }) => conversationOptions.usesCustomStt);
  }

  /**
   * Stores all speech, then removes a socket. When the last socket leaves, the conversation is released or ends. If
   * another socket is still open, a `finish` takes effect after `stoppedTimeout` seconds of silence, or when that
   * socket leaves. The conversation waits no longer for the open socket, because that socket may have lost its network
   * without notice.
   */
  leave(member: Member, leaving: Leaving): Promise<void> {
    this.context.completions.forget(member);
    return this.#tasks.run(async () => {
      // The socket is removed after the store, so that a draining socket gets its last words.
      await this.#speakers.settled(this.#members.size === 1);
      await this.#store().finally(() => {
        this.#members.delete(member);
        this.#positions.leave(member);
        if (this.#members.size === 0) this.context.streams?.closed(this.key);
      });
      const held = this.#held;
      // If the conversation has already ended, `finish` has no effect on the next conversation, which keeps its own
      // timeout.
      if (leaving === 'finish' && held !== null) this.#stopped = true;
      if (this.#members.size > 0) return;
      const isEmpty = held === null || (held.transcript.length === 0 && !held.hasPhotos);
      if (this.#stopped && !isEmpty && !held.replacement) await this.#finish();
      else await this.#release();
    });
  }

  /**
   * Records the arrival of the first audio from a socket that uses positions.
   * @returns false while the database is not reachable. The caller then tries again later.
   */
  arrived(member: Member): Promise<boolean> {
    return this.#positions.arrived(member);
  }

  /**
   * Restarts the silence timeout, because speech has just ended, or segments of a client that transcribes its own audio
   * have arrived.
   * @param probability mean speech probability of the utterance; 0 if unknown.
   */
  spoke(probability = 0): void {
    this.#lastSpeechAt = this.context.clock.wall();
    this.#stopped = false;
    if (probability > 0) {
      this.#probabilities.sum += probability;
      this.#probabilities.count++;
    }
  }

  /** Opens a conversation when speech begins, if none is open, so that it is ready before the words arrive. */
  wake(): void {
    if (this.#held !== null || this.#tasks.pending > 0) return;
    void this.#attempt('open', async () => {
      await this.#hold();
    });
  }

  /** Queues a piece of audio for diarization. */
  listen(piece: VoicePiece): void {
    this.#held?.voices?.listen(piece);
  }

  /**
   * Whether the queue of segments is so full that the engine must not yet read further segments of a client that
   * transcribes its own audio.
   */
  get crowded(): boolean {
    return this.#writer.crowded;
  }

  /**
   * Returns the speaker number for a client's speaker label. @param given the speaker number that the client sent
   * with the label.
   */
  numberOf(label: string, given?: number): number {
    return this.#speakers.numbers.numberOf(label, given);
  }

  /**
   * Queues segments of a provider or of a client. The next tick stores them, then sends them.
   * @param segments each within the size limits of a segment: see `cutSegment`.
   */
  add(segments: readonly SpokenSegment[]): void {
    this.#writer.add(segments);
  }

  /**
   * Stores the record of a photo whose file is already written. If this conversation has ended, the photo goes to
   * the next one. The photo restarts the silence timeout.
   * @returns `unavailable` while the database is not reachable.
   * @throws the error that prevented the conversation from opening.
   */
  see(photo: NewPhoto): Promise<PhotoStored | 'unavailable'> {
    this.spoke();
    return this.#tasks.run(async () => {
      const { journal, photoBounds } = this.context;
      for (let attempt = 0; attempt <= fencedRetries; attempt++) {
        const held = await this.#hold();
        const stored = await journal.storePhoto(held.lease, photo, photoBounds, this.#lastSpeechAt);
        if (stored === 'stored') held.hasPhotos = true;
        if (stored !== 'fenced') return stored ?? 'unavailable';
        if (await this.#isReplaced(held)) {
          await this.#store();
          return 'unavailable';
        }
        this.#held = null;
      }
      return 'unavailable';
    });
  }

  /**
   * Shows words of an open utterance, in the segment that will later get its final words. The words are stored before
   * they are sent. Users wait for them, so they are stored before the next regular tick.
   */
  show(words: SpokenSegment): void {
    this.#writer.show(words);
  }

  /** Withdraws the provisional words of an id, if any. */
  hide(id: string): void {
    this.#writer.hide(id);
  }

  /** Queues translations of stored segments. They are stored within `gatherWords` ms, and then sent. */
  translated(segments: readonly TranslatedSegment[]): void {
    this.#translations.add(segments);
    this.context.hurry(this);
  }

  /**
   * Assigns a person to a speaker. The next tick applies the assignment to stored segments. Later segments of the
   * speaker also get the person.
   * @param refuse called with the reason if the assignment is refused.
   * @returns the number of stored segments that count against the client's allowance: the named segments, or a
   * limited number for a whole speaker.
   */
  assign(assignment: Assignment, refuse: Refuse): number {
    void this.#attempt('assign', () => this.#speakers.assign(assignment, refuse));
    return this.#held?.transcript.mostNamed(assignment.segmentIds) ?? 0;
  }

  /** Whether the silence timeout has passed. It is false while an utterance is open or words are expected. */
  get silent(): boolean {
    if (this.#held === null || this.#held.replacement) return false;
    let speaking = false;
    let queued = this.#writer.waiting;
    for (const member of this.#members) {
      speaking ||= member.speaking;
      queued += member.queued;
    }
    return silenceElapsed({
      now: this.context.clock.wall(),
      lastSpeechAt: this.#lastSpeechAt,
      timeout: this.#stopped ? Math.min(stoppedTimeout, this.settings.timeout) : this.settings.timeout,
      speaking,
      queued,
    });
  }

  /** Runs one tick: stores new segments, and ends the conversation if it is silent or full. Never rejects. */
  async tick(): Promise<void> {
    this.#writer.tellDropped();
    // While an earlier store is still running, new segments wait for the next tick.
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

  #speechProbability(): number | undefined {
    const { sum, count } = this.#probabilities;
    return count === 0 ? undefined : sum / count;
  }

  #attempt(what: string, task: () => Promise<void>): Promise<void> {
    return this.#tasks.run(task).catch((thrown: unknown) => {
      this.context.log.error({ err: thrown, what }, 'conversation step failed; it will be retried');
      for (const member of this.#members) member.fault(thrown);
    });
  }

  /**
   * Returns the key of a conversation's voices. It includes the user, because clients propose conversation ids and
   * two users may propose the same id.
   */
  #voicesOf(conversationId: string): string {
    return `${conversationId} ${this.uid}`;
  }

  #broadcast(text: string): void {
    for (const member of this.#members) member.send(text);
  }

  /** Returns the current conversation, or opens one. */
  async #hold(joining?: Joining): Promise<HeldConversation> {
    if (this.#held !== null) return this.#held;
    const { clock, journal, metrics, replacements, voices: memory } = this.context;
    const replaced = this.#members.size === 0 ? replacements.of(this.key) : undefined;
    // Words that arrive after the last socket has left must not take the conversation from the newer stream.
    if (replaced !== undefined) {
      this.#held = replaced.held;
      return replaced.held;
    }
    // Only a joining socket may take the conversation from a newer stream.
    if (joining === undefined && this.#lost !== null && (await this.#isReplaced(this.#lost)))
      return this.#held!;
    const proposed = joining?.member.proposedConversation ?? null;
    const recognisesVoices = this.settings.recognisesVoices && memory?.recognises === true;
    const resends = joining !== undefined && joining.member.positions !== null;
    const request = { ...this.key, ...this.settings, recognisesVoices, resends, now: clock.wall(), proposed };
    const opened = await journal.open(request);
    if (joining && opened.past) this.#tellLater(joining, opened.past);
    metrics.add(opened.resumed ? 'conversations_resumed_total' : 'conversations_opened_total');
    const { conversationId } = opened.lease;
    const voices = memory?.of(this.#voicesOf(conversationId), opened) ?? null;
    const before =
      this.#before?.lease.conversationId === conversationId ? this.#before.transcript : undefined;
    const held = {
      lease: opened.lease,
      transcript: new Transcript(opened, before),
      voices,
      languages: new SpokenLanguages(opened.language, opened.spoken),
      hasPhotos: false,
    };
    this.#held = held;
    this.#before = held;
    this.#takenAt = opened.takenAt;
    this.#announce();
    this.#lost = null;
    replacements.forget(this.key);
    this.context.translations?.hold(conversationId, this);
    this.#speakers.hold(opened, voices);
    // When a lease moves to this shard during speech, the stored time of the last speech may be older than the time
    // that this shard knows.
    this.#lastSpeechAt = opened.resumed ? Math.max(this.#lastSpeechAt, opened.lastSpeechAt) : clock.wall();
    for (const member of this.#members) {
      // A joining socket gets the event about its conversation later, in its start-up sequence.
      if (member === joining?.member) continue;
      member.send(events.conversationSession(opened.lease.conversationId, member.stream));
    }
    return held;
  }

  /**
   * Registers a joining socket for the completion of the conversation that it proposed. Call this before any `await`.
   * Otherwise a completion that arrives during the `await` would be missed.
   */
  #tellLater(joining: Joining, past: PastConversation): void {
    const { clock, completions } = this.context;
    joining.past = past;
    if (past.status === 'processing') completions.join(past.id, this.uid, joining.member, clock.wall());
  }

  /**
   * Lets a joining socket take the conversation over from another engine, because the newest stream continues it.
   * Within `replacedPause` after this shard closed its own stream, the socket is refused if the other engine's stream
   * still has the conversation. Otherwise two devices with the same key would take the conversation from each other for
   * ever.
   */
  async #overtake(): Promise<void> {
    const { journal, replacements } = this.context;
    const replaced = replacements.of(this.key);
    if (replaced?.closed && (await journal.replacement(replaced.held.lease, this.key)) !== null) {
      // The joining socket is refused, but words that it has already sent are still stored. They become separate
      // segments, like the words of the stream that this shard closed.
      this.#held = replaced.held;
      throw new CochleaError('stream_replaced');
    }
    if (this.#held === null || !(await this.#isReplaced(this.#held))) return;
    await this.#write();
    await this.#release();
  }

  /**
   * Checks whether another engine with a valid lease has taken a conversation over. If so, later words of this shard
   * are stored as separate segments.
   * @param valid whether the lease of `held` may still be valid. If false, `held` counts as lost.
   */
  async #isReplaced(held: HeldConversation, valid = false): Promise<boolean> {
    if (held.replacement) return true;
    if (!valid) this.#lost = held;
    const replacement = await this.context.journal.replacement(held.lease, this.key, { held: valid });
    if (replacement === null) return false;
    this.#held = { ...held, transcript: held.transcript.late(replacement), replacement };
    return true;
  }

  /** Tells other engines that this shard has a stream with the key of this conversation. */
  #announce(): void {
    if (this.#takenAt === undefined || this.#members.size === 0) return;
    this.context.streams?.opened(this.key, this.#takenAt, () => {
      void this.#attempt('yield', () => this.#yield());
    });
  }

  /**
   * Closes the sockets, even silent ones, if a newer stream on another engine has the conversation. The other engine
   * reports only that it has a stream. The database decides whether that stream is newer.
   */
  async #yield(): Promise<void> {
    const held = this.#held ?? this.#before;
    if (this.#members.size === 0 || held === null) return;
    if (await this.#isReplaced(held, true)) await this.#store();
  }

  /** Stores new segments, then sends them. Closes the sockets if a newer stream has the conversation. */
  async #store(): Promise<void> {
    await this.#write();
    const held = this.#held;
    if (!held?.replacement || this.#writer.waiting > 0) return;
    this.#closeReplaced(held);
  }

  #closeReplaced(held: HeldConversation): void {
    const { log, replacements } = this.context;
    replacements.note(this.key, held, this.#members.size > 0);
    if (this.#members.size === 0) return;
    log.info(
      { conversation: held.lease.conversationId },
      'a newer stream on another engine has the conversation',
    );
    for (const member of this.#members) member.fault(new CochleaError('stream_replaced'));
  }

  /**
   * Stores new segments, then sends them. If a write returns `fenced`, opens the conversation again and retries, unless
   * another engine with a valid lease has the conversation.
   */
  async #write(): Promise<void> {
    for (let attempt = 0; attempt <= fencedRetries && this.dirty; attempt++) {
      const held = await this.#hold();
      const stored = await this.#writer.write(held).catch((thrown: unknown) => this.#giveUp(thrown));
      // `more` means that more earlier segments must be updated. It is not a failure, so it does not count as an
      // attempt.
      if (stored === 'unavailable') return;
      if (stored === 'more') attempt--;
      if (stored !== 'fenced') continue;
      if (await this.#isReplaced(held)) continue;
      const { conversationId: conversation } = held.lease;
      this.context.log.warn({ conversation }, 'conversation was taken over; opening it again');
      this.#letGo();
      await this.#hold();
      // Before this shard opened the conversation again, the other engine may have stored a later position of the
      // device's clock. The waiting words are then dropped, and the sockets are closed.
      if (!(await this.#positions.overtaken())) continue;
      this.#discard();
      for (const member of this.#members) member.fault(new CochleaError('stream_replaced'));
    }
  }

  /** If the devices send their audio again, drops the words that could not be stored. @throws the given error */
  #giveUp(thrown: unknown): never {
    if (this.#positions.resends) this.#discard();
    throw thrown;
  }

  /** Drops the words that wait to be stored. Their devices send the audio again. */
  #discard(): void {
    this.#writer.discard();
    this.#positions.discarded();
  }

  /**
   * Leaves a conversation that this shard no longer writes. The translation thread stores translations that arrive
   * later.
   */
  #letGo(): void {
    const conversationId = this.#held?.lease.conversationId;
    this.#held = null;
    this.#stopped = false;
    this.#probabilities = { sum: 0, count: 0 };
    if (conversationId !== undefined) this.context.voices?.rest(this.#voicesOf(conversationId));
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
    const { clock, completions, journal, log, metrics } = this.context;
    const id = lease.conversationId;
    completions.expect(id, this.uid, this.#members, clock.wall());
    const outcome = await journal.finish(lease, this.#lastSpeechAt).catch((thrown: unknown) => {
      completions.cancel(id);
      throw thrown;
    });
    if (outcome === 'fenced' && (await this.#isReplaced(this.#held))) {
      completions.cancel(id);
      this.#closeReplaced(this.#held);
      return;
    }
    this.#letGo();
    this.context.voices?.forget(this.#voicesOf(id));
    this.#speakers.reset();
    this.settings = { ...this.settings, usesCustomStt: this.#membersUseCustomStt() };
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
    const voices = this.#speakers.voicesToStore(held, true);
    this.#letGo();
    const released = await this.context.journal.release(held.lease, voices?.bytes);
    if (voices !== undefined && released === 'database') held.voices?.noteStored(voices);
  }
}
