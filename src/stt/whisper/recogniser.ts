import type { SpeechModel } from '../../models/manifest/index.js';
import type { EarlierTexts } from '../shared/index.js';
import { DecodedText } from './decoded-text.js';
import { isInvented } from './invented-text.js';
import { accepted, replaced, TokenEncoder, type Trial, trialsOf } from './keywords/index.js';
import { WhisperNetwork } from './network.js';
import { tokenTimes } from './token-times.js';
import { Turns } from './turns.js';
import type { Recognised } from './words-of-part.js';

export interface RecognisedText extends Recognised {
  /** Ids of the tokens; empty if the text was dropped as invented. */
  readonly ids: readonly number[];
  /** Code of the given language, or of the most probable one. Undefined if the audio is too short to detect it. */
  readonly language: string | undefined;
  /**
   * Probability of each language of the model, by code. The sum is one. Undefined if the model knows only one language,
   * or if the audio is too short. For less than 4 s of speech the most probable language is often wrong.
   */
  readonly languages: ReadonlyMap<string, number> | undefined;
  /** Probability of no speech. Undefined if the audio is too short. */
  readonly silence: number | undefined;
  /** Mean log probability of the text's tokens and of its end; at most 0. Undefined if the text has no tokens. */
  readonly likelihood: number | undefined;
  /** Number of keywords that were tried in the text. */
  readonly trials: number;
  /** Time in ms spent on this text alone. The time of a shared step is divided equally among its texts. */
  readonly spent: number;
}

/** The parts of a network that the recogniser uses. */
export type Network = Pick<WhisperNetwork, 'vocabulary' | 'most' | 'encode' | 'step'>;
/** The settings of the network's model that the recogniser uses. */
export type Rules = Pick<SpeechModel, 'invented' | 'languages' | 'mostTokens' | 'tokens' | 'tokensPerSecond'>;

export interface RecogniseOptions {
  /**
   * Tokens of texts of the same speech, newest first. They serve as guesses. Correct guesses save computation, and no
   * guess changes the text, except through rounding in the model.
   */
  readonly earlier?: EarlierTexts;
  /**
   * Code of the spoken language. If several codes are given, the most probable one is used. Default: all languages of
   * the model.
   */
  readonly language?: string | readonly string[];
  /** Mean probability of speech that the detector found in the audio. Default: 0, unknown. */
  readonly detected?: number;
  /**
   * Minimum probability of the most probable of several languages. Below this probability, the first language is used.
   * Default: 0.
   */
  readonly certainty?: number;
  /** Words that the speaker may use. They replace words that sound like them if the audio supports it. */
  readonly keywords?: readonly string[];
}

interface Pending {
  readonly samples: Float32Array;
  readonly earlier: EarlierTexts;
  readonly languages: readonly string[];
  readonly detected: number;
  readonly certainty: number;
  readonly keywords: readonly string[];
  readonly resolve: (recognised: RecognisedText) => void;
  readonly reject: (reason: unknown) => void;
  spent: number;
  /** The text; undefined until the audio is encoded. */
  text: DecodedText | undefined;
  /**
   * `trials`: number of keywords that were tried in the text. `replacements`: the keywords that replace words of the
   * text.
   */
  trials: number;
  replacements: readonly Trial[];
}

/** Time in seconds between the starts of two frames. */
const frameDuration = 0.01;

/**
 * Transcribes audio with a Whisper model. Pieces are encoded one by one, because encoding several at once is no
 * cheaper. The texts of all pieces are decoded together, one step of each at a time. That is cheaper than decoding
 * one by one, because a step mostly reads weights. A new piece joins at the next step, and a finished piece leaves.
 * Owned by the thread of the decoder process.
 */
export class WhisperRecogniser {
  readonly #waiting: Pending[] = [];
  #growing: Pending[] = [];
  #runs = false;
  /** Converts keywords to tokens. It is created when the first keywords arrive. */
  #encoder: TokenEncoder | undefined;

  constructor(
    private readonly model: Rules,
    private readonly network: Network,
    private readonly turns: Turns = new Turns(),
  ) {}

  /**
   * Loads the model: see `WhisperNetwork.load`.
   * @param turns shared by the recognisers that must not compute at the same time.
   */
  static async load(
    ...[model, files, turns]: [...Parameters<typeof WhisperNetwork.load>, turns?: Turns]
  ): Promise<WhisperRecogniser> {
    return new WhisperRecogniser(model, await WhisperNetwork.load(model, files), turns);
  }

  /** Maximum number of pieces of audio that are recognised at once. Further pieces wait. */
  get together(): number {
    return this.network.most;
  }

  /**
   * Transcribes a piece of audio.
   * @param samples mono 16 kHz, from -1 to 1, at most 29 s; only read.
   * @throws Error when the runtime refuses the audio, or if the model does not know a given language.
   */
  async recognise(samples: Float32Array, options: RecogniseOptions = {}): Promise<RecognisedText> {
    const {
      certainty = 0,
      detected = 0,
      earlier = [],
      keywords = [],
      language = this.model.languages,
    } = options;
    const languages = typeof language === 'string' ? [language] : language;
    const unknown = languages.find((code) => !this.model.languages.includes(code));
    if (unknown !== undefined || languages.length === 0)
      throw new Error(`the model does not know the language ${unknown ?? ''}`);
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        samples,
        earlier,
        languages,
        detected,
        certainty,
        keywords,
        resolve,
        reject,
        spent: 0,
        text: undefined,
        trials: 0,
        replacements: [],
      });
      if (!this.#runs) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#runs = true;
    while (this.#waiting.length + this.#growing.length > 0) {
      const next = this.#growing.length < this.network.most ? this.#waiting.shift() : undefined;
      if (next !== undefined) await this.turns.run(() => this.#attempt([next], () => this.#encode(next)));
      await this.#complete();
      const { length } = this.#growing;
      if (length > 0) await this.turns.run(() => this.#attempt(this.#growing, () => this.#step()));
      await this.#complete();
    }
    this.#runs = false;
  }

  /** Completes the texts that have ended. Audio that is too short for a token ends without a step. */
  async #complete(): Promise<void> {
    for (const pending of this.#growing.filter(({ text }) => text!.ended)) {
      if (pending.keywords.length > 0)
        await this.turns.run(() => this.#attempt([pending], () => this.#respell(pending)));
      if (this.#growing.includes(pending)) this.#finish(pending);
    }
    this.#growing = this.#growing.filter(({ text }) => !text!.ended);
  }

  /**
   * Runs work for some texts and divides its time among them. If the work fails, the promises of these texts
   * reject. Never rejects itself.
   */
  async #attempt(those: readonly Pending[], work: () => Promise<void>): Promise<void> {
    const began = performance.now();
    try {
      await work();
    } catch (thrown) {
      this.#growing = this.#growing.filter((pending) => !those.includes(pending));
      for (const { reject } of those) reject(thrown);
    }
    const spent = (performance.now() - began) / those.length;
    for (const pending of those) pending.spent += spent;
  }

  async #encode(pending: Pending): Promise<void> {
    const audio = await this.network.encode(pending.samples);
    const { tokensPerSecond, mostTokens, invented } = this.model;
    const limit = Math.min(mostTokens, Math.floor(audio.frames * frameDuration * tokensPerSecond));
    const { certainty, earlier, languages } = pending;
    pending.text = new DecodedText(audio, this.model, {
      limit,
      noSpeech: invented.certain,
      languages,
      certainty,
      earlier,
    });
    this.#growing.push(pending);
  }

  async #step(): Promise<void> {
    const texts = this.#growing.map(({ text }) => text!);
    const stepped = await this.network.step(texts.map((text) => text.next()));
    for (const [index, text] of texts.entries()) text.take(stepped[index]!);
  }

  /** Returns the text of each token. */
  #written(ids: readonly number[]): string[] {
    const decoder = new TextDecoder();
    // If the bytes of a character are spread over several tokens, the character belongs to the last of them.
    return ids.map((id) => decoder.decode(this.network.vocabulary[id], { stream: true }));
  }

  /** Finds the keywords that replace words of a complete text. It decodes again only if some words sound like them. */
  async #respell(pending: Pending): Promise<void> {
    const { text, keywords } = pending;
    if (text!.cutOff) return;
    const { likelihoods, tokens: ids } = text!;
    this.#encoder ??= new TokenEncoder(this.network.vocabulary);
    const written = { ids, tokens: this.#written(ids), likelihoods };
    const trials = trialsOf(written, keywords, this.#encoder, this.model.tokens.end);
    pending.trials = trials.length;
    const judgements: ArrayLike<number>[] = [];
    for (let at = 0; at < trials.length; at += this.network.most) {
      const some = trials.slice(at, at + this.network.most);
      const steps = some.map(({ from, judged }) => text!.instead(from, judged));
      for (const { answers } of await this.network.step(steps)) judgements.push(answers);
    }
    pending.replacements = accepted(trials, judgements);
  }

  /** Returns the tokens of a text with their times. */
  #kept({ audio, cutOff, looked, tokens }: DecodedText, replacements: readonly Trial[]) {
    const times = tokenTimes(looked, tokens.length, audio.frames);
    const { ids, timestamps, durations } = replaced({ ids: tokens, ...times }, replacements);
    const written = this.#written(ids);
    return { text: written.join(''), tokens: written, ids, cutOff, timestamps, durations };
  }

  #finish({ text, detected, spent, trials, replacements, resolve, reject }: Pending): void {
    const began = performance.now();
    try {
      const { tokens: ids, language, likelihood, probabilities, silence } = text!;
      const { invented: rules } = this.model;
      const first = this.#written(ids).join('');
      const doubtful = (silence ?? 0) > rules.doubtful;
      const kept =
        ids.length === 0 || isInvented({ text: first, silence: silence ?? 0, likelihood, detected }, rules)
          ? { text: '', tokens: [], ids: [], cutOff: false }
          : this.#kept(text!, replacements);
      const all = spent + performance.now() - began;
      const languages =
        probabilities && new Map(this.model.languages.map((code, index) => [code, probabilities[index]!]));
      resolve({ ...kept, doubtful, language, languages, likelihood, silence, trials, spent: all });
    } catch (thrown) {
      reject(thrown);
    }
  }
}
