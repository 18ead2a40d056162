import { within } from '../../common/index.js';
import type { ResumedConversation } from '../../journal/index.js';
import { SpeakerNumbers } from '../../transcript/index.js';
import type { LiveSegment } from '../../wire/index.js';
import { events } from '../shared/index.js';
import { type Assignment, ownerId, PersonLookup, type Refuse } from '../voices/index.js';
import { AssignedSpeakers } from './assigned-speakers.js';
import type { ConversationContext, ConversationState, HeldConversation } from './context.js';
import { SuggestedNames } from './suggested-names.js';

/** Ms that the end of a conversation waits for its last labels. */
const voicesTimeout = 2000;

/** Who the speakers of the live conversation are: as users say, as their voices tell, and as they name themselves. */
export class ConversationSpeakers {
  readonly #state: ConversationState;
  readonly #context: Pick<ConversationContext, 'journal' | 'clock' | 'log'>;
  readonly #people: PersonLookup;
  #assigned = new AssignedSpeakers();
  #names = new SuggestedNames();
  #numbers = new SpeakerNumbers();
  /** Voices that are being compared with known ones. */
  #comparing: Promise<void> = Promise.resolve();

  constructor(state: ConversationState, context: Pick<ConversationContext, 'journal' | 'clock' | 'log'>) {
    this.#state = state;
    this.#context = context;
    this.#people = new PersonLookup(context.journal, state.uid, context.clock);
  }

  /** What is said of the speakers of the conversation that is held. */
  get assigned(): AssignedSpeakers {
    return this.#assigned;
  }

  /** The numbers of speakers that clients label. */
  get numbers(): SpeakerNumbers {
    return this.#numbers;
  }

  /** A conversation is held from now on: what was stored of its speakers counts, and what their voices have told. */
  hold(
    { labels, resumed, speakers }: Pick<ResumedConversation, 'labels' | 'resumed' | 'speakers'>,
    voices: HeldConversation['voices'],
  ): void {
    if (resumed) this.#numbers = new SpeakerNumbers(labels);
    this.#assigned.restore(speakers);
    this.#assigned.restoreCompared(voices?.recognition?.compared ?? []);
  }

  /** The conversation has ended: nothing is known of the speakers of the next one. */
  reset(): void {
    this.#assigned = new AssignedSpeakers();
    this.#names = new SuggestedNames();
    this.#numbers = new SpeakerNumbers();
  }

  /** A user named a speaker. @param refuse told why nothing was done. */
  async assign({ speakerId, personId, personName, segmentIds }: Assignment, refuse: Refuse): Promise<void> {
    const found = await this.#people.find({ id: personId, name: personName });
    if ('refusal' in found) refuse(found.refusal);
    else {
      const refusal = this.#assigned.assign(speakerId, found.personId, segmentIds);
      if (refusal !== null) refuse(refusal);
      else this.#state.held()?.voices?.recognition?.named(speakerId, found.personId);
    }
  }

  /** Voices were found to be others since the last store: their segments and names follow. */
  followVoices(voices: HeldConversation['voices']): void {
    for (const move of voices?.takeMoves() ?? []) {
      this.#assigned.move(move);
      voices?.recognition?.move(move);
    }
  }

  /** Looks for names in stored segments. Suggestions follow what they are about; nothing waits for them. */
  suggest(segments: readonly LiveSegment[]): void {
    const { broadcast, options } = this.#state;
    this.#names
      .look(segments, options().language, this.#people, broadcast)
      .catch((thrown: unknown) => this.#context.log.error({ err: thrown }, 'a name was not suggested'));
  }

  /** Has voices compared with those that are known; what is found is shown by the next tick. Nothing waits for it but the end. */
  compare(): void {
    this.#comparing = this.#comparing
      .then(() => this.#compareOnce())
      .catch((thrown: unknown) => this.#context.log.error({ err: thrown }, 'voices were not compared'));
  }

  /**
   * Waits a while for the voices of what was said last, for all of them to be decided anew where it is the end, and for who they are, so that
   * what is stored has its final labels. What comes later is stored with the next tick, if there is one.
   */
  async settled(isEnd: boolean): Promise<void> {
    const voices = this.#state.held()?.voices;
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
    const held = this.#state.held();
    const recognition = held?.voices?.recognition;
    if (!held?.voices || !recognition || !this.#state.options().recognisesVoices) return;
    const { lease, transcript, voices } = held;
    const { clock, journal } = this.#context;
    const { conversationId, uid } = lease;
    const { narrowband } = this.#state.options();
    const work = { journal, uid, conversationId, now: clock.wall(), narrowband };
    for (const { speakerId, person: found } of await recognition.look(voices.speakers, work)) {
      // Known voices are remembered for a while, in which a person may have been deleted.
      const isKnown = found === null || found.id === ownerId || (await this.#people.knows(found.id));
      const person = isKnown ? found : null;
      if (this.#state.held() !== held) return;
      const isAssigned = person?.id === ownerId || this.#state.options().assignsVoices;
      this.#assigned.compare(speakerId, isAssigned ? (person?.id ?? null) : null);
      if (person !== null && !isAssigned) recognition.suggestions.set(speakerId, person);
    }
    for (const [speakerId, person] of recognition.suggestions) {
      const segment = transcript.lastOf(speakerId);
      if (segment === undefined) continue;
      recognition.suggestions.delete(speakerId);
      if (!this.#assigned.has(speakerId)) {
        this.#state.broadcast(events.speakerSuggestion(segment, person));
      }
    }
    await recognition.learn(voices.speakers, work);
  }
}
