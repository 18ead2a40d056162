import type { Journal, KnownVoices } from '../../journal/index.js';
import { cosine, type MatchRule, matchVoice, type VoiceMove } from '../../transcript/index.js';
import { ownerId } from './person-lookup.js';

/** Ms after which the known voices of a user are read again, so that deletions take effect in open streams. */
const knownFor = 60_000;

/** The voice of one speaker, from the speech so far. */
export interface SpeakerVoice {
  readonly speakerId: number;
  /** Mean embedding of the speaker's windows, normalised to length one. */
  readonly embedding: Float32Array;
  /** Ms of speech in that mean. Only windows similar to the voice count. */
  readonly speech: number;
}

/** The result of comparing the voice of one speaker with known voices. */
export interface VoiceFinding {
  readonly speakerId: number;
  /** Id `user` is the owner of the account. Null: the voice matches no known person, or two people equally well. */
  readonly person: { readonly id: string; readonly name: string } | null;
}

/** The properties of the speaker model that are needed to compare voices. */
export interface RecognitionModel {
  readonly model: string;
  readonly dimensions: number;
  readonly rule: MatchRule;
}

export interface RecognitionWork {
  readonly journal: Pick<Journal, 'knownVoices' | 'learnVoice' | 'unlearnVoice'>;
  readonly uid: string;
  readonly conversationId: string;
  /** Time in ms. */
  readonly now: number;
  /** Whether the audio of the voices has telephone bandwidth or less. */
  readonly narrowband: boolean;
}

/**
 * Identifies the speakers of one conversation by voice. It compares a speaker once there is enough speech, and again whenever more
 * speech reaches the next step of the rule. It never compares a speaker again after a match. It also learns the voices of people
 * that the client has named. Use it on the shard's thread only.
 */
export class VoiceRecognition {
  /** By speaker: ms of speech of the highest step of the rule at which the speaker was compared. */
  readonly #reached = new Map<number, number>();
  readonly #compared = new Set<number>();
  readonly #found = new Set<number>();
  /** Ids of people that the client has named, by speaker. */
  readonly #named = new Map<number, string>();
  /** Ids of people whose voice was learned from a speaker, by speaker. */
  readonly #learned = new Map<number, string>();
  /** Known people, by speaker, to suggest to the client when a segment of the speaker exists. */
  readonly #suggestions = new Map<number, { readonly id: string; readonly name: string }>();
  #known: { readonly at: number; readonly voices: KnownVoices } | undefined;

  constructor(private readonly model: RecognitionModel) {}

  /** Speakers whose voices were compared with a known one. */
  get compared(): ReadonlySet<number> {
    return this.#compared;
  }

  /** Suggestions not yet sent, by speaker. The caller removes each one that it sends. */
  get suggestions(): Map<number, { readonly id: string; readonly name: string }> {
    return this.#suggestions;
  }

  /** The client named a speaker. The speaker's voice is not compared any more, and may be learned. */
  named(speakerId: number, personId: string): void {
    this.#named.set(speakerId, personId);
    this.#found.add(speakerId);
    this.#suggestions.delete(speakerId);
  }

  /** Frees the known voices, several hundred KB at most, until they are needed again. Keeps the matches found. */
  rest(): void {
    this.#known = undefined;
  }

  /** Merges speaker `from` into speaker `to`, because both have the same voice. */
  move({ from, to }: VoiceMove): void {
    const person = this.#named.get(from);
    if (person !== undefined && !this.#named.has(to)) this.named(to, person);
    this.#suggestions.delete(from);
  }

  /**
   * Compares the voices that have enough speech. Resolves with one finding per compared voice. While the database is away it
   * compares none, and the next call retries.
   */
  async look(voices: readonly SpeakerVoice[], work: RecognitionWork): Promise<VoiceFinding[]> {
    if (this.#known !== undefined && work.now - this.#known.at >= knownFor) this.rest();
    const due = voices.filter(
      ({ speakerId, speech }) =>
        !this.#found.has(speakerId) && this.#step(speech) > (this.#reached.get(speakerId) ?? 0),
    );
    if (due.length === 0) return [];
    const known = await this.#knownVoices(work);
    if (known === null) return [];
    const findings: VoiceFinding[] = [];
    for (const voice of due) {
      const { speakerId } = voice;
      this.#reached.set(speakerId, this.#step(voice.speech));
      if (known.voices.length === 0 || this.#found.has(speakerId)) continue;
      this.#compared.add(speakerId);
      const person = this.#personOf(voice, known, work.narrowband);
      if (person !== null) this.#found.add(speakerId);
      findings.push({ speakerId, person });
    }
    return findings;
  }

  /** Stores the voices of people that the client has named. After a correction it first deletes the voice of the wrong person. */
  async learn(voices: readonly SpeakerVoice[], work: RecognitionWork): Promise<void> {
    const { journal, uid, conversationId } = work;
    const { model, rule } = this.model;
    for (const [speakerId, personId] of this.#named) {
      const before = this.#learned.get(speakerId);
      if (before === personId) continue;
      if (before !== undefined) {
        const taken = await journal.unlearnVoice({ uid, personId: before, conversationId });
        if (taken === null) continue;
        this.#learned.delete(speakerId);
      }
      const voice = voices.find((one) => one.speakerId === speakerId);
      if (personId === ownerId || voice === undefined || voice.speech < rule.learnSpeech) continue;
      const { embedding, speech } = voice;
      const kept = await journal.learnVoice(
        { uid, personId, conversationId },
        { model, speech, embeddings: [embedding] },
      );
      if (kept !== null) this.#learned.set(speakerId, personId);
    }
  }

  /** Ms of the highest step of the rule that `speech` (ms) reaches; 0 for too little speech. */
  #step(speech: number): number {
    const { minimumSpeech, thresholds } = this.model.rule;
    if (speech < minimumSpeech) return 0;
    return Math.max(minimumSpeech, thresholds.findLast((step) => speech >= step.speech)?.speech ?? 0);
  }

  #personOf(
    { embedding, speech }: SpeakerVoice,
    { voices }: KnownVoices,
    narrowband: boolean,
  ): VoiceFinding['person'] {
    const candidates = voices.flatMap(({ personId, embeddings }) =>
      embeddings.map((known) => ({ person: personId ?? ownerId, similarity: cosine(known, embedding) })),
    );
    const decision = matchVoice(candidates, speech, this.model.rule, narrowband);
    if (decision.kind !== 'match') return null;
    const { person: id } = decision;
    return { id, name: voices.find(({ personId }) => personId === id)?.name ?? '' };
  }

  async #knownVoices({ journal, uid, now }: RecognitionWork): Promise<KnownVoices | null> {
    if (this.#known !== undefined) return this.#known.voices;
    const voices = await journal.knownVoices(uid, this.model);
    if (voices !== null) this.#known = { at: now, voices };
    return voices;
  }
}
