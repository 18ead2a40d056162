import { modelLanguage, type TranscriptionPriority } from '../../shared/index.js';
import { Overload } from './overload.js';

/** The speech models of this machine. See `InstalledModels` in `src/models`. */
export interface LocalModels {
  /** Returns the models that can be loaded, the cheapest first. */
  present(): readonly string[];
  /**
   * Returns the codes of a model's languages, and whether its texts become better if utterances end only after the long
   * silence (`VAD_LONG_SILENCE`). Undefined if the model is unknown.
   */
  parameters(
    name: string,
  ): { readonly languages: readonly string[]; readonly longSilence?: boolean } | undefined;
  /** Returns a text that changes when a file of a model changes; empty while a file is missing or has another size. */
  version(name: string): string;
}

/** The fields of a request that decide its model. */
export interface ModelQuestion {
  readonly priority: TranscriptionPriority;
  /** Base code of the spoken language, or `multi`. */
  readonly language: string;
  /** Languages that the speaker may use, as base codes. */
  readonly languages: readonly string[];
  readonly settles: boolean;
}

/** A model, with the codes by which it knows the languages of a request. */
export interface ChosenModel {
  readonly model: string;
  /** Code of the language in which the model decodes; `multi` if it detects one of `languages`. */
  readonly language: string;
  /** Codes of the languages that the speaker may use; empty if the model knows none of them. */
  readonly languages: readonly string[];
}

const several = 'multi';

/**
 * Whether a request is stored audio or a voice message. Such a request can wait for its model, and comes after live
 * speech.
 */
export const isStored = ({ priority }: Pick<ModelQuestion, 'priority'>): boolean =>
  priority === 'voice' || priority === 'retained';

/**
 * Chooses the speech model of each request. Interim words come from the cheapest model. Voice messages and stored audio
 * use the best model. Final words come from the best model while the queue is short, and from the cheapest while it is
 * long. After a long queue, the cheapest model stays in use for some time, so that the models do not alternate.
 */
export class ModelChoice {
  readonly #queue: Overload;
  /** Models that a decoder process could not load, with the version of their files. */
  readonly #unusable = new Map<string, string>();

  /**
   * @param models the models of this machine.
   * @param now returns the current time, monotonic ms.
   */
  constructor(
    private readonly models: LocalModels,
    now: () => number,
  ) {
    this.#queue = new Overload(now);
  }

  /** Returns the models that can be used, the cheapest first. */
  usable(): readonly string[] {
    return this.models.present().filter((name) => !this.#isUnusable(name));
  }

  /** Excludes a model that cannot be loaded, until its files change. */
  exclude(model: string): void {
    this.#unusable.set(model, this.models.version(model));
  }

  /** Whether a model can serve a request. */
  serves(question: ModelQuestion): boolean {
    return this.#fitting(question, this.usable()).length > 0;
  }

  /** Whether a model of this machine knows the language of a request, even if that model could not be loaded. */
  knows(question: ModelQuestion): boolean {
    return this.#fitting(question, this.models.present()).length > 0;
  }

  /**
   * Whether a process can decode a request now. Stored audio and voice messages need the best model that knows the
   * language. For other requests, any model that knows the language is enough. True if no model knows the language,
   * because waiting would not help.
   * @param isLoaded whether the process has loaded a model.
   */
  accepts(question: ModelQuestion, isLoaded: (model: string) => boolean): boolean {
    const fitting = this.#fitting(question, this.usable());
    const needed = isStored(question) ? fitting.slice(-1) : fitting;
    return needed.length === 0 || needed.some(({ model }) => isLoaded(model));
  }

  /**
   * Returns the model for a request; undefined if no model knows its language.
   * @param wait expected wait in ms of a live utterance that arrives now.
   * @param isLoaded whether the process that decodes has loaded a model. The process must accept the request.
   */
  choose(
    question: ModelQuestion,
    wait: number,
    isLoaded: (model: string) => boolean,
  ): ChosenModel | undefined {
    const fitting = this.#fitting(question, this.usable());
    const isOverloaded = this.#queue.watch(wait);
    const { priority, settles } = question;
    const isFinal = priority === 'live' || (priority === 'interim' && settles);
    const loaded = fitting.filter(({ model }) => isLoaded(model));
    const from = loaded.length > 0 ? loaded : fitting;
    return isStored(question) || (isFinal && !isOverloaded) ? from.at(-1) : from[0];
  }

  /** Whether the texts of the best usable model become better if utterances end only after the long silence. */
  get profitsFromSilence(): boolean {
    return this.models.parameters(this.usable().at(-1) ?? '')?.longSilence === true;
  }

  #isUnusable(model: string): boolean {
    const failed = this.#unusable.get(model);
    if (failed === undefined) return false;
    const version = this.models.version(model);
    if (version === '' || version === failed) return true;
    this.#unusable.delete(model);
    return false;
  }

  /** Returns the models of a list that know the language of a request, the cheapest first. */
  #fitting({ language, languages }: ModelQuestion, models: readonly string[]): ChosenModel[] {
    const known = models.flatMap((model): ChosenModel[] => {
      const codes = this.models.parameters(model)?.languages ?? [];
      const candidates = languages.flatMap((code) => modelLanguage(code, codes) ?? []);
      if (language === several)
        return codes.length < 2
          ? []
          : [{ model, language, languages: candidates.length > 0 ? candidates : codes }];
      const decoded = modelLanguage(language, codes);
      return decoded === undefined ? [] : [{ model, language: decoded, languages: candidates }];
    });
    if (languages.length < 2) return known;
    // Only a model that knows several of the possible languages can tell them apart.
    const telling = known.filter((chosen) => chosen.languages.length > 1);
    return telling.length > 0 ? telling : known;
  }
}
