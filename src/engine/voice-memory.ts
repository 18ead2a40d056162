import { ConversationVoices, type VoicesContext } from './conversation-voices.js';

/** Conversations without a stream whose voices are remembered: about 7 KB each. */
const mostRemembered = 500;
/** Entries of their histories, 600 bytes each; those of the conversations that rest longest are left out first. */
const mostResting = 60_000;

/** The voices of conversations, also while no stream is connected to them, so that a reconnect keeps its labels. One for each shard. */
export class VoiceMemory {
  readonly #context: VoicesContext;
  readonly #voices = new Map<string, ConversationVoices>();
  readonly #resting = new Set<ConversationVoices>();

  constructor(context: VoicesContext) {
    this.#context = context;
  }

  /** @param first number of the first voice where nothing is remembered. */
  of(conversationId: string, first: number): ConversationVoices {
    const known = this.#voices.get(conversationId) ?? new ConversationVoices(first, this.#context);
    this.#voices.delete(conversationId);
    this.#voices.set(conversationId, known);
    this.#resting.delete(known);
    return known;
  }

  /** No stream is connected any more. */
  rest(conversationId: string): void {
    const rests = this.#voices.get(conversationId);
    if (rests === undefined) return;
    rests.rest();
    this.#resting.add(rests);
    for (const [id, voices] of this.#voices) {
      if (this.#voices.size <= mostRemembered) break;
      this.#voices.delete(id);
      this.#resting.delete(voices);
    }
    let entries = 0;
    for (const voices of this.#resting) entries += voices.kept;
    for (const voices of this.#resting) {
      if (entries <= mostResting) break;
      entries -= voices.kept;
      voices.forgetHistory();
    }
  }

  /** The conversation has ended. */
  forget(conversationId: string): void {
    const known = this.#voices.get(conversationId);
    if (known !== undefined) this.#resting.delete(known);
    this.#voices.delete(conversationId);
  }
}
