import { ConversationVoices, type VoicesContext } from './conversation-voices.js';

/** Conversations without a stream whose voices are remembered: about 7 KB each. */
const mostRemembered = 500;
/** Entries of their histories, 600 bytes each; those of the conversations that rest longest are left out first. */
const mostResting = 60_000;

/** The voices of conversations, also while no stream is connected to them, so that a reconnect keeps its labels. One for each shard. */
export class VoiceMemory {
  readonly #context: VoicesContext;
  readonly #voices = new Map<string, ConversationVoices>();
  /** Those of them without a stream, by conversation; the first has rested longest. */
  readonly #resting = new Map<string, ConversationVoices>();

  constructor(context: VoicesContext) {
    this.#context = context;
  }

  /** @param conversation its name. @param first number of the first voice where nothing is remembered. */
  of(conversation: string, first: number): ConversationVoices {
    const known = this.#voices.get(conversation) ?? new ConversationVoices(first, this.#context);
    this.#voices.set(conversation, known);
    this.#resting.delete(conversation);
    return known;
  }

  /** No stream is connected any more. */
  rest(conversation: string): void {
    const rests = this.#voices.get(conversation);
    if (rests === undefined) return;
    rests.rest();
    this.#resting.delete(conversation);
    this.#resting.set(conversation, rests);
    // Only those that rest: a live conversation that is forgotten would have other labels after its next reconnect.
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

  /** The conversation has ended. */
  forget(conversation: string): void {
    this.#resting.delete(conversation);
    this.#voices.delete(conversation);
  }
}
