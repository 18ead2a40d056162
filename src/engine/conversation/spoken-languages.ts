import type { SpokenTimes } from '../../journal/index.js';
import type { SpokenSegment } from '../../transcript/index.js';
import { automaticLanguage } from '../../wire/index.js';

/** Maximum number of languages of a conversation. Speech in further languages does not count. */
const mostLanguages = 100;

/** How long each language was spoken in a conversation, and the language that is stored for the conversation. */
export class SpokenLanguages {
  /**
   * @param stored the language that is stored for the conversation.
   * @param times ms of speech by language code.
   */
  constructor(
    private readonly stored: string,
    private readonly times: Readonly<Record<string, number>> = {},
  ) {}

  /**
   * Returns a new object that also counts these segments. This object stays unchanged.
   * @param language language of segments whose language was not detected; `multi` if it is unknown.
   */
  with(segments: readonly SpokenSegment[], language: string): SpokenLanguages {
    const times = new Map(Object.entries(this.times));
    for (const { language: code = language, from, to } of segments) {
      if (code === automaticLanguage || (!times.has(code) && times.size >= mostLanguages)) continue;
      times.set(code, (times.get(code) ?? 0) + Math.max(0, to - from));
    }
    const all = Object.fromEntries(times);
    return new SpokenLanguages(this.stored, all);
  }

  /** The language of most of the speech. Undefined before speech in a known language. */
  get main(): string | undefined {
    const [first, ...others] = Object.entries(this.times);
    if (first === undefined) return undefined;
    return others.reduce((most, entry) => (entry[1] > most[1] ? entry : most), first)[0];
  }

  /**
   * Returns the languages that must be stored. Returns undefined if all speech is in the stored language, or in no known
   * language.
   */
  get change(): SpokenTimes | undefined {
    const language = this.main;
    if (language === undefined) return undefined;
    const isOnly = Object.keys(this.times).length === 1;
    return isOnly && language === this.stored ? undefined : { language, times: this.times };
  }

  /** Returns the object that replaces this one after `change` was stored. */
  accepted(): SpokenLanguages {
    return new SpokenLanguages(this.change?.language ?? this.stored, this.times);
  }
}
