import type { Journal, KnownVoices } from '../../journal/index.js';
import { cosine, type MatchRule, matchVoice, type VoiceMove } from '../../transcript/index.js';
import { ownerId } from './person-lookup.js';

/**
 * Time in ms after which the known voices of a user are read again, so that open streams soon stop recognising a
 * deleted voice.
 */
const knownFor = 60_000;

/** The voice of one speaker, computed from the speech so far. */
export interface SpeakerVoice {
  readonly speakerId: number;
  /** Mean embedding of the speaker's windows, normalised to length one. */
  readonly embedding: Float32Array;
  /** Length in ms of the speech in `embedding`. Only windows that are similar to the voice count. */
  readonly speech: number;
}

/** The result of comparing the voice of one speaker with known voices. */
export interface VoiceFinding {
  readonly speakerId: number;
  /**
   * The recognised person. Id `user` is the owner of the account. Null if the voice matches no known person, or two
   * people equally well.
   */
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
  /** Current time in ms. */
  readonly now: number;
  /** Whether the sample rate of the audio is 8 kHz or less, as in telephony. */
  readonly narrowband: boolean;
}

/**
 * Identifies the speakers of one conversation by voice. It compares a speaker's voice when the speaker has enough
 * speech. It compares again when the speech reaches the next threshold of the rule, until a match is found. It also
 * learns the voices of people that a client has assigned. Use it on the shard's thread only.
 */
export class VoiceRecognition {
  /** For each speaker, the highest speech threshold (ms) at which the voice was compared. */
  readonly #reached = new Map<number, number>();
  readonly #compared = new Set<number>();
  readonly #found = new Set<number>();
  /** Ids of people that a client has assigned, by speaker. */
  readonly #named = new Map<number, string>();
  /** Ids of people whose voice was learned from a speaker, by speaker. */
  readonly #learned = new Map<number, string>();
  /** Known people, by speaker, to suggest to the client when a segment of the speaker exists. */
  readonly #suggestions = new Map<number, { readonly id: string; readonly name: string }>();
  #known: { readonly at: number; readonly voices: KnownVoices } | undefined;

  constructor(private readonly model: RecognitionModel) {}

  /** Speakers whose voices were compared with known voices. */
  get compared(): ReadonlySet<number> {
    return this.#compared;
  }

  /** Suggestions that were not sent yet, by speaker. The caller removes a suggestion when it sends it. */
  get suggestions(): Map<number, { readonly id: string; readonly name: string }> {
    return this.#suggestions;
  }

  /**
   * Records that a client assigned a person to a speaker. The speaker's voice is no longer compared, and may be
   * learned.
   */
  named(speakerId: number, personId: string): void {
    this.#named.set(speakerId, personId);
    this.#found.add(speakerId);
    this.#suggestions.delete(speakerId);
  }

  /** Frees the known voices (at most several hundred KB) until they are needed again. The matches are kept. */
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
   * Compares the voices that have enough speech. Resolves with one finding per compared voice. If the database is
   * not reachable it compares no voice, and the next call tries again.
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

  /**
   * Stores the voices of people that a client has assigned. If a client corrected a person, the voice of the wrong
   * person is first deleted.
   */
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

  /** Returns the highest speech threshold of the rule, in ms, that `speech` (ms) reaches; 0 for too little speech. */
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
