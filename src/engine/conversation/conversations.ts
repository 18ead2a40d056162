import { textOfKey } from '../../journal/feeds/index.js';
import type { OpenRequest } from '../../wire/index.js';
import { Committer, WorkTurns } from '../shared/index.js';
import { Completions } from './completions.js';
import type { ConversationContext } from './context.js';
import { LiveConversation } from './conversation.js';
import { LeaseRenewal } from './lease-renewal.js';
import { conversationOptionsOf } from './member.js';
import { Replacements } from './replacements.js';

export interface ConversationsOptions
  extends Omit<ConversationContext, 'committer' | 'completions' | 'turns' | 'replacements' | 'hurry'> {
  /** Duration of a lease in ms. */
  readonly leaseDuration: number;
}

/** Time in ms during which conversations with urgent words are collected. One statement then stores them all. */
const gatherWords = 100;

/** The live conversations of a shard, one for each user, source and device. Use it on the shard's thread only. */
export class Conversations {
  readonly #context: ConversationContext;
  readonly #renewal: LeaseRenewal;
  readonly #live = new Map<string, LiveConversation>();
  /** Conversations that will store their segments before the next regular tick. */
  readonly #hurried = new Set<Pick<LiveConversation, 'tick'>>();

  constructor(options: ConversationsOptions) {
    const { journal, clock } = options;
    this.#context = {
      ...options,
      committer: new Committer(journal),
      completions: new Completions(journal, clock),
      turns: new WorkTurns(() => clock.monotonic()),
      replacements: new Replacements(clock),
      hurry: (conversation) => this.#hurry(conversation),
    };
    this.#renewal = new LeaseRenewal(options);
  }

  get size(): number {
    return this.#live.size;
  }

  /** Number of conversations with a socket that waits for their completion. */
  get awaited(): number {
    return this.#context.completions.size;
  }

  /** Returns the live conversation of a stream, and creates it if needed. */
  of(request: OpenRequest): LiveConversation {
    const { uid, source, deviceId } = request;
    const name = textOfKey(request);
    let found = this.#live.get(name);
    if (found === undefined) {
      const options = conversationOptionsOf(request);
      found = new LiveConversation({ uid, source, deviceId }, options, this.#context);
      this.#live.set(name, found);
    }
    return found;
  }

  /**
   * Stores and sends new segments, ends silent conversations and renews the lease. Resolves when all three are
   * finished.
   */
  async tick(): Promise<void> {
    await Promise.all([
      ...[...this.#live.values()].map((conversation) => conversation.tick()),
      this.#renewal.tick([...this.#live.values()].some(({ lease }) => lease !== null)),
    ]);
  }

  /** Schedules an early tick. Conversations that ask for a tick within `gatherWords` ms are stored by one statement. */
  #hurry(conversation: Pick<LiveConversation, 'tick'>): void {
    this.#hurried.add(conversation);
    if (this.#hurried.size > 1) return;
    setTimeout(() => {
      const hurried = [...this.#hurried];
      this.#hurried.clear();
      for (const one of hurried) void one.tick();
    }, gatherWords).unref();
  }

  /** Removes conversations without a socket and without segments to store. */
  forgetIdle(): void {
    for (const [name, conversation] of this.#live) {
      if (conversation.idle) this.#live.delete(name);
    }
  }
}
