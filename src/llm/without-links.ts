/**
 * Takes links and images of Markdown and HTML out of what a language model writes. Spoken words can ask a model for them, and a client
 * that renders the answer would then fetch an address of someone else, with what the model has put into it.
 */

/** Characters in which a link's text, its label and its target may end; what is longer is made plain text. */
const longestText = 300;
const longestTarget = 1000;

/** What a piece of text became: its output, and where the rest begins. `null`: more of the text decides. */
interface Step {
  readonly output: string;
  readonly next: number;
  /** Whether something was taken out before the output. */
  readonly removed?: boolean;
}

/** The place of the bracket that closes the one at `from`; -1 when there is none within `most` characters. */
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

/** Whether more text may still close a bracket. */
const mayClose = (text: string, from: number, most: number): boolean => text.length < from + most;

const word = /[A-Za-z][A-Za-z0-9+.-]*/y;
const authority = /:(?:\\?\/){2}/y;
const partOfAuthority = /:(?:\\?\/?\\?)?$/y;
const address = /[^\s<]*/y;
const afterWord = /[^A-Za-z0-9+.-]/;
const afterAddress = /[\s<]/;
const closingPunctuation = new Set('?!.,:;*_~\'")]');
/** Addresses in what was given. A run of letters is tried from its start alone, so that the time grows with the length. */
const givenAddress = /(?<![A-Za-z0-9+.-])(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/|www\.)[^\s<>"'\\]*/gi;
const entity = /&(?=#\w{1,8};|[A-Za-z]\w{1,31};)/y;
const partOfEntity = /&#?\w{0,32}$/y;
const tagStart = /<(?=[A-Za-z/!?])/y;

const matchAt = (pattern: RegExp, text: string, at: number): string | null => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
};

/** An address without the punctuation that ends its sentence. */
const withoutPunctuation = (found: string): string => {
  let end = found.length;
  while (end > 0 && closingPunctuation.has(found[end - 1]!)) end--;
  return found.slice(0, end);
};

/** Splits what could become markup where something was taken out, or where two outputs meet. */
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

/** The addresses in what a model was given. They are looked for once, and only where an answer has an address. */
class GivenAddresses {
  readonly #given: string;
  #found: ReadonlySet<string> | undefined;

  constructor(given: string) {
    this.#given = given;
  }

  /** Whether an address stands in what was given, word for word. */
  has(bare: string): boolean {
    this.#found ??= new Set(
      Array.from(this.#given.matchAll(givenAddress), ([found]) => withoutPunctuation(found)),
    );
    return this.#found.has(bare);
  }
}

/** Takes links out of a text that comes in parts. What cannot be decided yet is kept until more has come. */
export class LinkFilter {
  readonly #given: GivenAddresses;
  #held = '';
  /** What is held is decided by one of these characters, so that a long word is not read anew with each of its parts. */
  #decidedBy: RegExp | undefined;
  /** The last characters of the output, as many as could be the beginning of an address or an entity. */
  #before = '';
  #removed = false;

  /** @param given what the model was given: addresses that stand there word for word may stay, as plain text. */
  constructor(given: string | GivenAddresses) {
    this.#given = typeof given === 'string' ? new GivenAddresses(given) : given;
  }

  /** @returns what of the text so far is decided and was not returned before. */
  push(part: string): string {
    this.#held += part;
    if (this.#decidedBy?.test(part) === false) return '';
    this.#decidedBy = undefined;
    return this.#take(false);
  }

  /** @returns the rest. */
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
      // What is taken out of a link stands on both sides of its text.
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

  /** A word, which may begin an address. */
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

  /** A colon, which may stand in an address whose scheme was cut off. */
  #colon(at: number, final: boolean): Step | null {
    const text = this.#held;
    if (matchAt(authority, text, at) !== null) return this.#address(at, final);
    if (!final && matchAt(partOfAuthority, text, at) !== null) return null;
    return { output: ':', next: at + 1 };
  }

  /** An address that was given stays; another one is taken out, with what directly follows it. */
  #address(at: number, final: boolean): Step | null {
    const text = this.#held;
    const found = matchAt(address, text, at)!;
    const next = at + found.length;
    if (next === text.length && !final) return this.#waitFor(afterAddress);
    const bare = withoutPunctuation(found);
    if (!/[[\]()<>\\&]/.test(bare) && this.#given.has(bare)) {
      return { output: bare, next: at + bare.length };
    }
    // Punctuation that ends the sentence stays.
    return { output: /[.,!?]$/.exec(found)?.[0] ?? '', next, removed: true };
  }

  #waitFor(decidedBy: RegExp): null {
    this.#decidedBy = decidedBy;
    return null;
  }

  /** A tag of HTML, or an address between angle brackets. */
  #tag(at: number, final: boolean): Step | null {
    const text = this.#held;
    if (at + 1 === text.length && !final) return null;
    if (matchAt(tagStart, text, at) === null) return { output: '<', next: at + 1 };
    const end = text.indexOf('>', at);
    if (end >= 0 && end < at + longestTarget) return { output: '', next: end + 1, removed: true };
    if (!final && mayClose(text, at, longestTarget)) return null;
    return { output: '<', next: at + 1 };
  }

  /** A text between brackets: of a link or an image the text alone stays. @param open where the bracket stands. */
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
 * A text without links and images: of those of Markdown their text stays, tags of HTML and addresses that were not given go.
 * @param given what the model was given.
 */
export const withoutLinks = (text: string, given: string | GivenAddresses): string => {
  const filter = new LinkFilter(given);
  return filter.push(text) + filter.end();
};

/** An answer with each of its texts as `withoutLinks` has it, and no longer than it was. */
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
