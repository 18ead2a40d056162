import type { ConversationKey, Journal, Lease } from '../journal/journal.js';
import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { silenceElapsed } from '../transcript/index.js';
import { AssignedSpeakers } from './assigned-speakers.js';
import type { EngineClock } from './clock.js';
import type { Committer } from './committer.js';
import type { Completions } from './completions.js';
import type { ConversationOptions, Member } from './conversation-member.js';
import { SegmentBuffer } from './segment-buffer.js';
import * as events from './server-events.js';
import { TaskChain } from './task-chain.js';
import { type SpokenSegment, Transcript } from './transcript.js';
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
}

/** The right to write a conversation, and what is stored of it. */
interface Held {
  readonly lease: Lease;
  readonly transcript: Transcript;
}

/** How a socket leaves: the conversation waits for the next one, or ends now. */
export type Leaving = 'release' | 'finish';

/**
 * What the sockets of one user, source and device say, as one conversation after the other. Shared by the sessions of
 * that key on the shard; outlives a rollover and a takeover, which only change the lease underneath.
 *
 * Everything that reads or moves the lease runs in `#tasks`, one after the other; adding segments does not.
 */
export class LiveConversation {
  readonly key: ConversationKey;
  readonly #context: ConversationContext;
  readonly #members = new Set<Member>();
  readonly #tasks = new TaskChain();

  #settings: ConversationOptions;
  #held: Held | null = null;
  #assigned = new AssignedSpeakers();
  readonly #incoming = new SegmentBuffer();
  #lastSpeechAt = 0;

  constructor(key: ConversationKey, settings: ConversationOptions, context: ConversationContext) {
    this.key = key;
    this.#settings = settings;
    this.#context = context;
  }

  get lease(): Lease | null {
    return this.#held?.lease ?? null;
  }

  /** It has no socket, nothing waits and nothing runs: the shard may forget it. */
  get idle(): boolean {
    return this.#members.size === 0 && this.#tasks.pending === 0 && this.#incoming.length === 0;
  }

  /** Whether a tick has something to store. */
  get dirty(): boolean {
    return this.#incoming.length > 0 || (this.#assigned.changed && this.#held !== null);
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
      await this.#store().finally(() => this.#members.delete(member));
      if (this.#members.size > 0) return;
      if (leaving === 'finish' && (this.#held?.transcript.length ?? 0) > 0) await this.#finish();
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

  /** So many segments wait to be stored that what a client suggests has to wait before it is read. */
  get crowded(): boolean {
    return this.#incoming.crowded;
  }

  /**
   * Takes segments of a provider or of a client. They are stored, and only then sent, by the next tick.
   * @param segments each within the bounds of a segment: see `cutSegment`.
   */
  add(segments: readonly SpokenSegment[]): void {
    const dropped = this.#incoming.add(segments);
    if (dropped > 0) this.#context.metrics.add('segments_dropped_total', dropped);
  }

  /**
   * A user named a speaker: shown by the next tick, in what was stored lately and in what is yet to come.
   * @returns how many stored segments were named, which are written again; others of the speaker are at most once.
   */
  assign(speakerId: number, personId: string, segmentIds: readonly string[]): number {
    this.#assigned.assign(speakerId, personId, segmentIds);
    return this.#held?.transcript.recentOf(segmentIds) ?? 0;
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
    this.#held = null;
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
    const held = { lease: opened.lease, transcript: new Transcript(opened) };
    this.#held = held;
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
      const batch = this.#incoming.take();
      let stored = false;
      try {
        stored = await this.#write(held, batch);
      } finally {
        if (!stored) this.#incoming.putBack(batch);
      }
      if (stored) continue;
      const { conversationId: conversation } = held.lease;
      this.#context.log.warn({ conversation }, 'conversation was taken over; opening it again');
      this.#held = null;
    }
  }

  /** @returns false when another owner has the conversation and nothing was written. */
  async #write({ lease, transcript }: Held, batch: readonly SpokenSegment[]): Promise<boolean> {
    const { committer, metrics, turns } = this.#context;
    await turns.next();
    const draft = transcript.draft(batch, this.#assigned);
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
          draft.undo();
          throw thrown;
        });
      if (durability === 'fenced') {
        draft.undo();
        return false;
      }
      // A commit makes the segments of many conversations durable at once.
      await turns.next();
      transcript.accept(draft);
      metrics.add('segments_committed_total', upserts.length);
    }
    if (removed.length > 0) this.#broadcast(events.segmentsDeleted(removed));
    if (upserts.length > 0) {
      this.#broadcast(events.segments(upserts.map(({ segment }) => segment)));
      metrics.add('segments_sent_total', upserts.length * this.#members.size);
    }
    return true;
  }

  async #finish(): Promise<void> {
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
    this.#held = null;
    this.#assigned = new AssignedSpeakers();
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
    this.#held = null;
    await this.#context.journal.release(held.lease);
  }
}
