import type { ResumedConversation, StoredVoices } from '../../journal/index.js';
import { ConversationVoices, type VoicesContext } from './conversation-voices.js';
import { decodeVoices } from './voice-bytes.js';

/** Maximum number of conversations without a stream whose voices are remembered. Each takes about 7 KB. */
const mostRemembered = 500;
/**
 * Maximum total number of history entries of the conversations without a stream. Each entry takes 600 bytes. The
 * conversations that have been idle longest lose their history first.
 */
const mostResting = 60_000;

/** The voices of a conversation, and the epoch of the last lease under which this shard held it. */
interface Remembered {
  readonly voices: ConversationVoices;
  readonly epoch: number;
}

/**
 * Voices of the conversations of a shard. Voices outlive the stream, so that the speaker labels stay the same after
 * a reconnect. If another engine held the conversation meanwhile, the voices that it stored replace those of this shard.
 */
export class VoiceMemory {
  readonly #voices = new Map<string, Remembered>();
  /**
   * Voices of conversations without a stream, by conversation. The conversation that has been idle longest comes first.
   */
  readonly #resting = new Map<string, ConversationVoices>();

  constructor(private readonly context: VoicesContext) {}

  /** Whether the operator allows recognition, so that voices may be stored and read. */
  get recognises(): boolean {
    return this.context.recognition !== null;
  }

  /**
   * Returns the voices of a conversation that was just opened.
   * @param conversation key of the conversation.
   * @param opened `nextSpeaker` is the number of the first voice if no voices are known.
   */
  of(
    conversation: string,
    {
      lease: { epoch },
      nextSpeaker,
      voices: stored,
    }: Pick<ResumedConversation, 'lease' | 'nextSpeaker' | 'voices'>,
  ): ConversationVoices {
    const before = this.#voices.get(conversation);
    const isNewer = stored && this.context.recognition && !(before && stored.epoch <= before.epoch);
    const restored = isNewer ? this.#restore(stored, nextSpeaker) : undefined;
    const voices = restored ?? before?.voices ?? new ConversationVoices(nextSpeaker, this.context);
    voices.reserve(nextSpeaker);
    this.#voices.set(conversation, { voices, epoch });
    this.#resting.delete(conversation);
    return voices;
  }

  #restore({ voices }: StoredVoices, nextSpeaker: number): ConversationVoices | undefined {
    const { metrics, recognition } = this.context;
    const state = recognition === null ? undefined : decodeVoices(voices, recognition);
    metrics.add(state === undefined ? 'voices_ignored_total' : 'voices_restored_total');
    if (state === undefined) return undefined;
    const [newest] = [...state.voices].sort((one, other) => other.last - one.last);
    return new ConversationVoices(newest?.number ?? nextSpeaker, this.context, state);
  }

  /** Marks a conversation as idle, because no stream is connected to it. */
  rest(conversation: string): void {
    const rests = this.#voices.get(conversation)?.voices;
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
