/**
 * Removes links and images of Markdown and HTML from a language model's output. Spoken words can make a model write links. A client that
 * renders the answer would request a stranger's address, with data that the model put into the address.
 */

/** Maximum characters of a link's text or label. A link with a longer text or label becomes plain text. */
const longestText = 300;
/** Maximum characters of a link's target. A link with a longer target becomes plain text. */
const longestTarget = 1000;

/**
 * The result for a piece of text: its output, and the index at which the rest of the text begins. Functions return null
 * if they need more text to decide.
 */
interface Step {
  readonly output: string;
  readonly next: number;
  /** Whether something was removed directly before the output. */
  readonly removed?: boolean;
}

/** Returns the index of the bracket that closes the bracket at `from`; -1 if there is none within `most` characters. */
const closingAt = (text: string, from: number, most: number): number => {
  const open = text[from]!;
  const close = open === '[' ? ']' : ')';
  let depth = 0;
  const end = Math.min(text.length, from + most);
  for (let at = from; at < end; at++) {
    const character = text[at]!;
    if (character === '\\') at++;
    else if (character === open) depth++;
    else if (character === close && --depth === 0) return at;
  }
  return -1;
};

/** Whether the bracket at `from` may still be closed by text that has not arrived yet. */
const mayClose = (text: string, from: number, most: number): boolean => text.length < from + most;

const word = /[A-Za-z][A-Za-z0-9+.-]*/y;
const authority = /:(?:\\?\/){2}/y;
const partOfAuthority = /:(?:\\?\/?\\?)?$/y;
const address = /[^\s<]*/y;
const afterWord = /[^A-Za-z0-9+.-]/;
const afterAddress = /[\s<]/;
const closingPunctuation = new Set('?!.,:;*_~\'")]');
/**
 * Matches addresses in the text that the model received. A run of letters is tried only from its start, so that the time grows linearly.
 */
const givenAddress = /(?<![A-Za-z0-9+.-])(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/|www\.)[^\s<>"'\\]*/gi;
const entity = /&(?=#\w{1,8};|[A-Za-z]\w{1,31};)/y;
const partOfEntity = /&#?\w{0,32}$/y;
const tagStart = /<(?=[A-Za-z/!?])/y;

const matchAt = (pattern: RegExp, text: string, at: number): string | null => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
};

/** Returns an address without punctuation at its end that belongs to the sentence. */
const withoutPunctuation = (found: string): string => {
  let end = found.length;
  while (end > 0 && closingPunctuation.has(found[end - 1]!)) end--;
  return found.slice(0, end);
};

/**
 * Returns the text to write between `before`, the end of the earlier output, and `output`. It is a space if the two
 * texts would together be markup. It is also a space if text between them was removed, and together they could be
 * markup, an address or an entity. Otherwise it is empty.
 */
const gapBetween = (before: string, output: string, removed: boolean): string => {
  if (output === '') return '';
  const last = before.at(-1) ?? '';
  const first = output[0]!;
  const isMarkup = (last === ']' && /[([:]/.test(first)) || (last === '<' && /[A-Za-z/!?]/.test(first));
  const wouldJoin =
    (/[:/\\<\]!]/.test(last) && /\S/.test(first)) ||
    (/&#?\w*$/.test(before) && /[#;\w]/.test(first)) ||
    (/(?:^|[^a-z])w{1,3}$/i.test(before) && /[w.\\]/i.test(first));
  return isMarkup || (removed && wouldJoin) ? ' ' : '';
};

/** The addresses in the text that a model received. They are searched once, and only if an answer contains an address. */
class GivenAddresses {
  #found: ReadonlySet<string> | undefined;

  constructor(private readonly given: string) {}

  /** Whether the received text contains exactly this address. */
  has(bare: string): boolean {
    this.#found ??= new Set(
      Array.from(this.given.matchAll(givenAddress), ([found]) => withoutPunctuation(found)),
    );
    return this.#found.has(bare);
  }
}

/** Removes links from a text that arrives in parts. Holds back the end of a part until enough text has arrived to decide about it. */
export class LinkFilter {
  readonly #given: GivenAddresses;
  #held = '';
  /**
   * Matches the characters that decide about the held text. Without this pattern, a long word that arrives in many
   * parts would be parsed again with each part.
   */
  #decidedBy: RegExp | undefined;
  /** The last characters of the output. They are enough to contain the beginning of an address or an entity. */
  #before = '';
  #removed = false;

  /** @param given the text that the model received. Addresses that occur in it may stay, as plain text. */
  constructor(given: string | GivenAddresses) {
    this.#given = typeof given === 'string' ? new GivenAddresses(given) : given;
  }

  /** Adds a part of the text. @returns the part of the output that is now certain. */
  push(part: string): string {
    this.#held += part;
    if (this.#decidedBy?.test(part) === false) return '';
    this.#decidedBy = undefined;
    return this.#take(false);
  }

  /** Ends the text. @returns the remaining output. */
  end(): string {
    return this.#take(true);
  }

  #take(final: boolean): string {
    let output = '';
    let at = 0;
    while (at < this.#held.length) {
      const step = this.#step(at, final);
      if (step === null) break;
      const removed = step.removed ?? false;
      const gap = gapBetween(this.#before, step.output, this.#removed || removed);
      // Text before and after a removed part must not join into new markup.
      this.#removed = removed || (this.#removed && step.output === '');
      this.#before = `${this.#before}${gap}${step.output}`.slice(-40);
      output += gap + step.output;
      at = step.next;
    }
    this.#held = this.#held.slice(at);
    return output;
  }

  #step(at: number, final: boolean): Step | null {
    const text = this.#held;
    const character = text[at]!;
    if (/[A-Za-z]/.test(character)) return this.#word(at, final);
    if (character === ':') return this.#colon(at, final);
    if (character === '[') return this.#bracket(at, at, final);
    if (character === '!') {
      if (at + 1 === text.length && !final) return null;
      if (text[at + 1] === '[') return this.#bracket(at, at + 1, final);
    }
    if (character === '<') return this.#tag(at, final);
    if (character === '&') {
      if (matchAt(entity, text, at) !== null) return { output: '& ', next: at + 1 };
      if (!final && matchAt(partOfEntity, text, at) !== null) return null;
    }
    return { output: character, next: at + 1 };
  }

  /** Handles a word that may begin an address. */
  #word(at: number, final: boolean): Step | null {
    const text = this.#held;
    const found = matchAt(word, text, at)!;
    const end = at + found.length;
    if (end === text.length && !final) return this.#waitFor(afterWord);
    if (/^www\./i.test(found) || (/^www$/i.test(found) && text.startsWith('\\.', end))) {
      return this.#address(at, final);
    }
    if (/^www$/i.test(found) && text[end] === '\\' && end + 1 === text.length && !final) return null;
    if (text[end] === ':') {
      if (matchAt(authority, text, end) !== null) return this.#address(at, final);
      if (!final && matchAt(partOfAuthority, text, end) !== null) return null;
    }
    return { output: found, next: end };
  }

  /** Handles a colon. It may belong to an address whose scheme was removed. */
  #colon(at: number, final: boolean): Step | null {
    const text = this.#held;
    if (matchAt(authority, text, at) !== null) return this.#address(at, final);
    if (!final && matchAt(partOfAuthority, text, at) !== null) return null;
    return { output: ':', next: at + 1 };
  }

  /**
   * Handles an address. Keeps an address that the model received. Removes any other address, with the text directly
   * after it.
   */
  #address(at: number, final: boolean): Step | null {
    const text = this.#held;
    const found = matchAt(address, text, at)!;
    const next = at + found.length;
    if (next === text.length && !final) return this.#waitFor(afterAddress);
    const bare = withoutPunctuation(found);
    if (!/[[\]()<>\\&]/.test(bare) && this.#given.has(bare)) {
      return { output: bare, next: at + bare.length };
    }
    // Keeps the punctuation that ends the sentence.
    return { output: /[.,!?]$/.exec(found)?.[0] ?? '', next, removed: true };
  }

  #waitFor(decidedBy: RegExp): null {
    this.#decidedBy = decidedBy;
    return null;
  }

  /** Handles an HTML tag, or an address between angle brackets. */
  #tag(at: number, final: boolean): Step | null {
    const text = this.#held;
    if (at + 1 === text.length && !final) return null;
    if (matchAt(tagStart, text, at) === null) return { output: '<', next: at + 1 };
    const end = text.indexOf('>', at);
    if (end >= 0 && end < at + longestTarget) return { output: '', next: end + 1, removed: true };
    if (!final && mayClose(text, at, longestTarget)) return null;
    return { output: '<', next: at + 1 };
  }

  /** Handles a text between brackets. If it belongs to a link or an image, only this text stays. @param open index of the bracket. */
  #bracket(at: number, open: number, final: boolean): Step | null {
    const text = this.#held;
    const plain: Step = { output: text.slice(at, open + 1), next: open + 1 };
    const close = closingAt(text, open, longestText);
    if (close < 0) return final || !mayClose(text, open, longestText) ? plain : null;
    if (close + 1 === text.length && !final) return null;
    const target = text[close + 1];
    if (target !== '(' && target !== '[') return plain;
    const end = closingAt(text, close + 1, longestTarget);
    if (end < 0) return final || !mayClose(text, close + 1, longestTarget) ? plain : null;
    const inner = withoutLinks(text.slice(open + 1, close), this.#given);
    return { output: inner, next: end + 1, removed: true };
  }
}

/**
 * Returns a text without links and images. Keeps the texts of Markdown links. Removes HTML tags, and addresses that the model did not
 * receive.
 * @param given the text that the model received.
 */
export const withoutLinks = (text: string, given: string | GivenAddresses): string => {
  const filter = new LinkFilter(given);
  return filter.push(text) + filter.end();
};

/** Applies `withoutLinks` to each text of an answer. No text becomes longer. */
export const answerWithoutLinks = (answer: unknown, given: string): unknown =>
  valueWithoutLinks(answer, new GivenAddresses(given));

const valueWithoutLinks = (value: unknown, given: GivenAddresses): unknown => {
  if (typeof value === 'string') return withoutLinks(value, given).slice(0, value.length).toWellFormed();
  if (Array.isArray(value)) return value.map((one) => valueWithoutLinks(one, given));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, valueWithoutLinks(one, given)]),
  );
};
