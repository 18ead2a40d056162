import { ConversationVoices, type VoicesContext } from './conversation-voices.js';

/** Maximum number of conversations without a stream whose voices are remembered. Each takes about 7 KB. */
const mostRemembered = 500;
/**
 * Maximum number of history entries of all these conversations together. Each takes 600 bytes. The conversations
 * that have been idle longest lose their history first.
 */
const mostResting = 60_000;

/**
 * Voices of the conversations of a shard. Voices outlive the stream, so that the speaker labels stay the same after
 * a reconnect.
 */
export class VoiceMemory {
  readonly #voices = new Map<string, ConversationVoices>();
  /** Voices of conversations without a stream, by conversation. The longest idle comes first. */
  readonly #resting = new Map<string, ConversationVoices>();

  constructor(private readonly context: VoicesContext) {}

  /**
   * Returns the voices of a conversation. @param conversation key of the conversation. @param first number of the
   * first voice if no voices are remembered.
   */
  of(conversation: string, first: number): ConversationVoices {
    const known = this.#voices.get(conversation) ?? new ConversationVoices(first, this.context);
    this.#voices.set(conversation, known);
    this.#resting.delete(conversation);
    return known;
  }

  /** Marks a conversation as idle, because no stream is connected to it. */
  rest(conversation: string): void {
    const rests = this.#voices.get(conversation);
    if (rests === undefined) return;
    rests.rest();
    this.#resting.delete(conversation);
    this.#resting.set(conversation, rests);
    // Only idle conversations are forgotten. A conversation with a stream would otherwise get different labels
    // after its next reconnect.
    for (const id of this.#resting.keys()) {
      if (this.#resting.size <= mostRemembered) break;
      this.forget(id);
    }
    let entries = 0;
    for (const voices of this.#resting.values()) entries += voices.kept;
    for (const voices of this.#resting.values()) {
      if (entries <= mostResting) break;
      entries -= voices.kept;
      voices.forgetHistory();
    }
  }

  /** Removes a conversation that has ended. */
  forget(conversation: string): void {
    this.#resting.delete(conversation);
    this.#voices.delete(conversation);
  }
}
