import { ConversationVoices, type VoicesContext } from './conversation-voices.js';

/** Conversations without a stream whose voices are remembered: about 7 KB each. */
const mostRemembered = 500;

/** The voices of conversations, also while no stream is connected to them, so that a reconnect keeps its labels. One for each shard. */
export class VoiceMemory {
  readonly #context: VoicesContext;
  readonly #voices = new Map<string, ConversationVoices>();

  constructor(context: VoicesContext) {
    this.#context = context;
  }

  /** @param first number of the first voice where nothing is remembered. */
  of(conversationId: string, first: number): ConversationVoices {
    const known = this.#voices.get(conversationId) ?? new ConversationVoices(first, this.#context);
    this.#voices.delete(conversationId);
    this.#voices.set(conversationId, known);
    return known;
  }

  /** No stream is connected any more. */
  rest(conversationId: string): void {
    this.#voices.get(conversationId)?.rest();
    for (const id of this.#voices.keys()) {
      if (this.#voices.size <= mostRemembered) break;
      this.#voices.delete(id);
    }
  }

  /** The conversation has ended. */
  forget(conversationId: string): void {
    this.#voices.delete(conversationId);
  }
}
