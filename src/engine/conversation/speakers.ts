import { within } from '../../common/index.js';
import type { ResumedConversation } from '../../journal/index.js';
import { SpeakerNumbers } from '../../transcript/index.js';
import type { LiveSegment } from '../../wire/index.js';
import { events } from '../shared/index.js';
import { type Assignment, type HandedVoices, ownerId, PersonLookup, type Refuse } from '../voices/index.js';
import { AssignedSpeakers } from './assigned-speakers.js';
import type { ConversationContext, ConversationState, HeldConversation } from './context.js';
import { SuggestedNames } from './suggested-names.js';

/** Maximum time in ms that the end of a conversation waits for its last speaker labels. */
const voicesTimeout = 2000;

/**
 * Identifies the speakers of a live conversation by assignments of users, by voice, and by the names with which
 * speakers introduce themselves.
 */
export class ConversationSpeakers {
  readonly #people: PersonLookup;
  #assigned = new AssignedSpeakers();
  #names = new SuggestedNames();
  #numbers = new SpeakerNumbers();
  /** Resolves when the running comparison of voices has ended. */
  #comparing: Promise<void> = Promise.resolve();

  constructor(
    private readonly state: ConversationState,
    private readonly context: Pick<ConversationContext, 'journal' | 'clock' | 'log'>,
  ) {
    this.#people = new PersonLookup(context.journal, state.uid, context.clock);
  }

  /** The people assigned to speakers of the current conversation. */
  get assigned(): AssignedSpeakers {
    return this.#assigned;
  }

  /** Speaker numbers for the labels that clients send. */
  get numbers(): SpeakerNumbers {
    return this.#numbers;
  }

  /** Starts a conversation with its stored speakers and the speakers whose voices were already compared. */
  hold(
    { labels, resumed, speakers }: Pick<ResumedConversation, 'labels' | 'resumed' | 'speakers'>,
    voices: HeldConversation['voices'],
  ): void {
    if (resumed) this.#numbers = new SpeakerNumbers(labels);
    this.#assigned.restore(speakers);
    this.#assigned.restoreCompared(voices?.recognition?.compared ?? []);
  }

  /**
   * Returns the voices to store with a conversation's words or with its release; undefined if they are already stored.
   * Voices are stored only if the client and the operator allow recognition. The database checks the user's setting.
   */
  voicesToStore({ voices }: HeldConversation, isReleased: boolean): HandedVoices | undefined {
    if (!this.state.options().recognisesVoices) return undefined;
    return voices?.toStore(this.context.clock.wall(), isReleased);
  }

  /** Forgets all speakers, because the conversation has ended. */
  reset(): void {
    this.#assigned = new AssignedSpeakers();
    this.#names = new SuggestedNames();
    this.#numbers = new SpeakerNumbers();
  }

  /** Assigns a person to a speaker. @param refuse called with the reason if the assignment is refused. */
  async assign({ speakerId, personId, personName, segmentIds }: Assignment, refuse: Refuse): Promise<void> {
    const found = await this.#people.find({ id: personId, name: personName });
    if ('refusal' in found) refuse(found.refusal);
    else {
      const refusal = this.#assigned.assign(speakerId, found.personId, segmentIds);
      if (refusal !== null) refuse(refusal);
      else this.state.held()?.voices?.recognition?.named(speakerId, found.personId);
    }
  }

  /** Updates segments and assigned people for the voices that were merged since the last write. */
  followVoices(voices: HeldConversation['voices']): void {
    for (const move of voices?.takeMoves() ?? []) {
      this.#assigned.move(move);
      voices?.recognition?.move(move);
    }
  }

  /**
   * Searches stored segments for names and sends suggestions. The search runs in the background, after the segments
   * were sent.
   */
  suggest(segments: readonly LiveSegment[]): void {
    const { broadcast, options } = this.state;
    this.#names
      .look(segments, options().language, this.#people, broadcast)
      .catch((thrown: unknown) => this.context.log.error({ err: thrown }, 'a name was not suggested'));
  }

  /**
   * Starts to compare voices with known voices. The next tick stores and sends the result. Nothing waits for the result
   * except the end of the conversation.
   */
  compare(): void {
    this.#comparing = this.#comparing
      .then(() => this.#compareOnce())
      .catch((thrown: unknown) => this.context.log.error({ err: thrown }, 'voices were not compared'));
  }

  /**
   * Waits, at most `voicesTimeout` ms, for the diarization of the last speech and for the comparison with known voices.
   * At the end of the conversation, speakers are also assigned again to all stored windows of speech, so that the
   * stored segments get their final labels. Results after `voicesTimeout` are stored by the next tick, if the
   * conversation is still open.
   */
  async settled(isEnd: boolean): Promise<void> {
    const voices = this.state.held()?.voices;
    if (!voices) return;
    const assigned = this.#assigned;
    const compared = async (): Promise<void> => {
      await voices.settled();
      if (isEnd) assigned.review(await voices.revise(assigned.names));
      this.compare();
      await this.#comparing;
    };
    await within(compared(), voicesTimeout, () => undefined);
  }

  async #compareOnce(): Promise<void> {
    const held = this.state.held();
    const recognition = held?.voices?.recognition;
    if (!held?.voices || !recognition || !this.state.options().recognisesVoices) return;
    const { lease, transcript, voices } = held;
    const { clock, journal } = this.context;
    const { conversationId, uid } = lease;
    const { narrowband } = this.state.options();
    const work = { journal, uid, conversationId, now: clock.wall(), narrowband };
    for (const { speakerId, person: found } of await recognition.look(voices.speakers, work)) {
      // The people with known voices are cached, so the recognised person may have been deleted meanwhile.
      const isKnown = found === null || found.id === ownerId || (await this.#people.knows(found.id));
      const person = isKnown ? found : null;
      if (this.state.held() !== held) return;
      const isAssigned = person?.id === ownerId || this.state.options().assignsVoices;
      this.#assigned.compare(speakerId, isAssigned ? (person?.id ?? null) : null);
      if (person !== null && !isAssigned) recognition.suggestions.set(speakerId, person);
    }
    for (const [speakerId, person] of recognition.suggestions) {
      const segment = transcript.lastOf(speakerId);
      if (segment === undefined) continue;
      recognition.suggestions.delete(speakerId);
      if (!this.#assigned.has(speakerId)) {
        this.state.broadcast(events.speakerSuggestion(segment, person));
      }
    }
    await recognition.learn(voices.speakers, work);
  }
}
