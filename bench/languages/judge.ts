import { normaliseWords } from '../../src/app/sample/word-error.js';
import { shareIn, type Trigrams, trigramsOf } from './likeness.js';
import type { PlacedSentence } from './loop.js';

/** A time span in ms since the first sample of the stream. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A stored segment. */
export interface StoredText extends Span {
  readonly text: string;
  /** Name of the model that wrote the text. */
  readonly model: string | null;
}

/**
 * An utterance of the gate with a final text. The text arrived on the stream, or was written later from retained audio.
 */
export interface Answered extends Span {
  /** Whether the model wrote words. Otherwise the text is empty. */
  readonly hasWords: boolean;
}

/** The sentences that one stream sent, and the texts that were stored for it. */
export interface StreamRecord {
  readonly name: string;
  readonly language: string;
  /** Sentences that were sent completely. */
  readonly sent: readonly PlacedSentence[];
  readonly stored: readonly StoredText[];
  readonly answered: readonly Answered[];
  /** Language of each stored conversation. */
  readonly conversations: readonly string[];
}

export type Fault = 'lost' | 'doubled' | 'foreign' | 'model' | 'language' | 'invented';

export interface Judged {
  /** Description of each fault, without text. */
  readonly faults: Readonly<Record<Fault, readonly string[]>>;
  /** Number of words in lost sentences and utterances. */
  readonly wordsLost: number;
  readonly wordsDoubled: number;
  /** Number of sentences in which the model found no words. They do not count as faults. */
  readonly unheard: number;
  /** For each sentence of each stream, the stored text and the expected text. */
  readonly compared: readonly {
    readonly language: string;
    readonly expected: string;
    readonly found: string;
  }[];
}

/** Language of each model that knows only one language. */
const onlyLanguage: Readonly<Record<string, string>> = { 'whisper-tiny.en': 'en' };
/** Minimum ms that two time spans must overlap to belong together. */
const shared = 150;
/** Maximum ms that two stored segments of a stream may overlap. Word times are inexact at the ends of utterances. */
const mostShared = 400;
/** A text contains a sentence if it has at least this share of the sentence's trigrams. */
const has = 0.6;
/** A text does not contain a sentence if it has at most this share of the sentence's trigrams. */
const hasNot = 0.45;
/**
 * If a group has several sentences, one of them counts as missing only if the stored text is too short. The text must
 * lack at least this share of the number of words of that sentence.
 */
const missing = 0.8;
/**
 * A sentence counts as missing only if the stored text also contains less than this share of the sentence's trigrams.
 */
const traces = 0.15;

const overlap = (a: Span, b: Span): number => Math.min(a.to, b.to) - Math.max(a.from, b.from);
const seconds = (span: Span): string => `${(span.from / 1000).toFixed(1)} s`;
const countOf = (text: string): number => normaliseWords(text).length;

/** Sentences and stored texts that overlap in time. Two of them also belong together if a third overlaps both. */
interface Group {
  readonly sent: PlacedSentence[];
  readonly stored: StoredText[];
}

/** Divides a stream into groups. Both lists are in order of time. */
export const groupsOf = (
  sent: readonly PlacedSentence[],
  stored: readonly StoredText[],
): readonly Group[] => {
  const groups: Group[] = [];
  let reached = Number.NEGATIVE_INFINITY;
  const all = [
    ...sent.map((span) => ({ span, add: (group: Group) => group.sent.push(span) })),
    ...stored.map((span) => ({ span, add: (group: Group) => group.stored.push(span) })),
  ].sort((a, b) => a.span.from - b.span.from);
  for (const { span, add } of all) {
    const needed = Math.min(shared, (span.to - span.from) / 2);
    if (reached - span.from < needed) groups.push({ sent: [], stored: [] });
    add(groups.at(-1)!);
    reached = Math.max(reached, span.to);
  }
  return groups;
};

/** The sentences of one stream, each with its trigrams. */
interface Own {
  readonly stream: string;
  readonly sentences: ReadonlyMap<string, Trigrams>;
}

/** If a text contains a sentence that its own stream did not send, returns the name of the stream that sent it. */
const foreignIn = (
  found: Trigrams,
  expected: Trigrams,
  stream: string,
  all: readonly Own[],
): string | undefined =>
  all.find(
    (other) =>
      other.stream !== stream &&
      [...other.sentences.values()].some(
        (sentence) => shareIn(sentence, found) >= has && shareIn(sentence, expected) <= hasNot,
      ),
  )?.stream;

/** Returns whether a text contains a sentence more often than the stream sent it. */
const isDoubled = (sentence: Trigrams, found: Trigrams, expected: Trigrams): boolean =>
  shareIn(sentence, found, (trigram) => (expected.get(trigram) ?? 0) + 1) >= has;

/**
 * Compares the sentences that streams sent with the texts that were stored. Every sentence must be stored once, in its
 * own stream, by a model of its language.
 */
export const judgeStreams = (streams: readonly StreamRecord[]): Judged => {
  const faults: Record<Fault, string[]> = {
    lost: [],
    doubled: [],
    foreign: [],
    model: [],
    language: [],
    invented: [],
  };
  const compared: { language: string; expected: string; found: string }[] = [];
  let [wordsLost, wordsDoubled, unheard] = [0, 0, 0];
  const own = streams.map(({ name, sent }): Own => {
    const texts = new Set(sent.map(({ text }) => text));
    return { stream: name, sentences: new Map([...texts].map((text) => [text, trigramsOf(text)])) };
  });
  for (const [index, { name, language, sent, stored, answered, conversations }] of streams.entries()) {
    const { sentences } = own[index]!;
    const inOrder = [...stored].sort((a, b) => a.from - b.from);
    for (const code of conversations)
      if (code !== language) faults.language.push(`${name}: a conversation has the language ${code}`);
    for (const text of inOrder) {
      const only = onlyLanguage[text.model ?? ''];
      if (text.model === null || (only !== undefined && only !== language))
        faults.model.push(`${name} (${language}) at ${seconds(text)}: ${text.model}`);
    }
    for (const [at, text] of inOrder.entries()) {
      const before = inOrder[at - 1];
      if (before === undefined || overlap(before, text) <= mostShared) continue;
      faults.doubled.push(
        `${name} at ${seconds(text)}: two segments share ${Math.round(overlap(before, text))} ms`,
      );
      wordsDoubled += countOf(text.text);
    }
    for (const span of answered) {
      if (!span.hasWords || inOrder.some((text) => overlap(span, text) > 0)) continue;
      faults.lost.push(`${name} at ${seconds(span)}: the text of an utterance is not stored`);
    }
    for (const group of groupsOf(sent, inOrder)) {
      const expected = group.sent.map(({ text }) => text).join(' ');
      const found = group.stored.map(({ text }) => text).join(' ');
      const [wanted, given] = [trigramsOf(expected), trigramsOf(found)];
      if (group.sent.length === 0) {
        faults.invented.push(`${name} at ${seconds(group.stored[0]!)}: text where no sentence was sent`);
      } else compared.push({ language, expected, found });
      const foreign = foreignIn(given, wanted, name, own);
      if (foreign !== undefined)
        faults.foreign.push(`${name} at ${seconds(group.stored[0]!)}: a sentence of ${foreign}`);
      for (const sentence of group.sent) {
        const trigrams = sentences.get(sentence.text)!;
        if (isDoubled(trigrams, given, wanted)) {
          faults.doubled.push(`${name} at ${seconds(sentence)}: a sentence stands twice`);
          wordsDoubled += countOf(sentence.text);
        }
        const isMissing =
          group.stored.length === 0 ||
          (group.sent.length > 1 &&
            countOf(found) <= countOf(expected) - missing * countOf(sentence.text) &&
            shareIn(trigrams, given) < traces);
        if (!isMissing) continue;
        const covering = answered.filter((span) => overlap(span, sentence) > shared);
        if (covering.length > 0 && covering.every(({ hasWords }) => !hasWords)) unheard++;
        else {
          faults.lost.push(`${name} at ${seconds(sentence)}: a sentence is not stored`);
          wordsLost += countOf(sentence.text);
        }
      }
    }
  }
  return { faults, wordsLost, wordsDoubled, unheard, compared };
};
