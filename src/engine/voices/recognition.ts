import type { Journal, KnownVoices } from '../../journal/index.js';
import { cosine, type MatchRule, matchVoice, type VoiceMove } from '../../transcript/index.js';
import { ownerId } from './person-lookup.js';

/** Ms after which the known voices of a user are read again, so that a deletion counts in streams that go on. */
const knownFor = 60_000;

/** The voice of one speaker, as far as it is known. */
export interface SpeakerVoice {
  readonly speakerId: number;
  /** The mean of its windows, of length one. */
  readonly embedding: Float32Array;
  /** Ms of speech that it was made from; only windows that are like the voice count. */
  readonly speech: number;
}

/** Whom the voice of a speaker was found to be. */
export interface VoiceFinding {
  readonly speakerId: number;
  /** `user` is the owner of the account; null: no one who is known, or two people who cannot be told apart. */
  readonly person: { readonly id: string; readonly name: string } | null;
}

/** The speaker model, as far as voices are compared. */
export interface RecognitionModel {
  readonly model: string;
  readonly dimensions: number;
  readonly rule: MatchRule;
}

export interface RecognitionWork {
  readonly journal: Pick<Journal, 'knownVoices' | 'learnVoice' | 'unlearnVoice'>;
  readonly uid: string;
  readonly conversationId: string;
  /** ms */
  readonly now: number;
  /** Whether the audio of the voices has no more than telephone bandwidth. */
  readonly narrowband: boolean;
}

/**
 * Who the speakers of one conversation are, by their voices. The voice of a speaker is compared when it has enough speech, and again each
 * time that a longer stretch of speech allows another threshold; once it is known it is compared no more. Also learns the voices of people
 * whom the client has named. On the shard's thread only.
 */
export class VoiceRecognition {
  readonly #model: RecognitionModel;
  /** The longest step of the rule at which a speaker was compared. */
  readonly #reached = new Map<number, number>();
  readonly #compared = new Set<number>();
  readonly #found = new Set<number>();
  /** People whom the client has named, by speaker, and of whom a voice was learned. */
  readonly #named = new Map<number, string>();
  readonly #learned = new Map<number, string>();
  /** Known people who are to be suggested once there is a segment to suggest them for. */
  readonly #suggestions = new Map<number, { readonly id: string; readonly name: string }>();
  #known: { readonly at: number; readonly voices: KnownVoices } | undefined;

  constructor(model: RecognitionModel) {
    this.#model = model;
  }

  /** Speakers whose voices were compared with a known one. */
  get compared(): ReadonlySet<number> {
    return this.#compared;
  }

  /** Suggestions that are not made yet, by speaker; the caller removes those that it makes. */
  get suggestions(): Map<number, { readonly id: string; readonly name: string }> {
    return this.#suggestions;
  }

  /** The client said who a speaker is: then nothing is compared any more, and the voice may be learned. */
  named(speakerId: number, personId: string): void {
    this.#named.set(speakerId, personId);
    this.#found.add(speakerId);
    this.#suggestions.delete(speakerId);
  }

  /** Forgets the known voices, which may be some hundred KB, until they are needed again. Who was found stays. */
  rest(): void {
    this.#known = undefined;
  }

  /** What was taken for two speakers is one. */
  move({ from, to }: VoiceMove): void {
    const person = this.#named.get(from);
    if (person !== undefined && !this.#named.has(to)) this.named(to, person);
    this.#suggestions.delete(from);
  }

  /**
   * Compares the voices that have enough speech. Resolves with what was found of those that were compared; with nothing while the database
   * is away, in which case the next call compares them.
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

  /** Keeps the voices of people whom the client has named, and takes back what a correction shows to be another person's. */
  async learn(voices: readonly SpeakerVoice[], work: RecognitionWork): Promise<void> {
    const { journal, uid, conversationId } = work;
    const { model, rule } = this.#model;
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

  /** The longest speech of the rule's steps that so much speech reaches; 0 for too little. */
  #step(speech: number): number {
    const { minimumSpeech, thresholds } = this.#model.rule;
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
    const decision = matchVoice(candidates, speech, this.#model.rule, narrowband);
    if (decision.kind !== 'match') return null;
    const { person: id } = decision;
    return { id, name: voices.find(({ personId }) => personId === id)?.name ?? '' };
  }

  async #knownVoices({ journal, uid, now }: RecognitionWork): Promise<KnownVoices | null> {
    if (this.#known !== undefined) return this.#known.voices;
    const voices = await journal.knownVoices(uid, this.#model);
    if (voices !== null) this.#known = { at: now, voices };
    return voices;
  }
}
