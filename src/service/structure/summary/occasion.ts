import type { TaggedWord } from '../language/index.js';

/** Verbs of meeting people, each with the noun that a title uses for it. */
const meetings: Readonly<Record<string, string>> = {
  call: 'Call',
  phone: 'Call',
  ring: 'Call',
  meet: 'Meeting',
  talk: 'Talk',
  speak: 'Talk',
  chat: 'Talk',
};
const nouns = new Set(
  `call meeting talk chat conversation lunch dinner breakfast coffee appointment interview trip visit walk party date session
  consultation negotiation argument discussion`.split(/\s+/),
);

const isName = ({ tag, text }: TaggedWord): boolean => tag === 'PROPN' && /^\p{Lu}/u.test(text);
const isNominal = ({ tag }: TaggedWord): boolean => tag === 'NOUN' || tag === 'PROPN' || tag === 'ADJ';

/** Returns the words of the noun phrase that begins at `from`, with articles and pronouns. Returns at most five words. */
const nominalAt = (words: readonly TaggedWord[], from: number): TaggedWord[] => {
  const found: TaggedWord[] = [];
  for (const word of words.slice(from, from + 5)) {
    const leads =
      found.length === 0 && (word.tag === 'DET' || /^(?:my|our|his|her|their|your)$/i.test(word.text));
    const genitive = found.length > 0 && word.text === "'s";
    if (!leads && !isNominal(word) && !genitive) break;
    found.push(word);
  }
  while (found.length > 0 && !/^(?:NOUN|PROPN)$/.test(found.at(-1)!.tag)) found.pop();
  return found.some(isNominal) ? found : [];
};

const spelt = (words: readonly TaggedWord[]): string =>
  words
    .map(({ text }) => text)
    .join(' ')
    .replace(/ (?='s\b)/g, '')
    .replace(/^(?:my|our|his|her|their|your|this|that|a|an) /i, (lead) =>
      /^an? $/i.test(lead) ? lead.toLowerCase() : 'the ',
    );

const dated =
  /\b(?:day|week|month|year|morning|afternoon|evening|tomorrow|yesterday|today|tonight|\w+day)\b/i;

/**
 * Finds an occasion such as "Call with Anna about the roof". An occasion consists of a noun or verb of meeting, a name
 * and a topic. If any of them is missing, returns null.
 */
export const occasionIn = (words: readonly TaggedWord[]): string | null => {
  for (const [at, { text, lemma, tag }] of words.entries()) {
    const noun = nouns.has(lemma) && (tag === 'NOUN' || words[at - 1]?.tag === 'DET') ? lemma : undefined;
    const kind = noun
      ? noun.replace(/^./, (letter) => letter.toUpperCase())
      : tag === 'VERB'
        ? meetings[lemma]
        : undefined;
    if (kind === undefined || text === '') continue;
    const names: TaggedWord[] = [];
    let next = at + 1;
    if (/^(?:with|to)$/i.test(words[next]?.text ?? '')) next++;
    else if (noun) continue;
    while (words[next] && isName(words[next]!) && names.length < 3) names.push(words[next++]!);
    if (names.length === 0 || dated.test(names[0]!.text)) continue;
    while (
      /^(?:today|yesterday|again|earlier|just|now|this|morning|on|\w+day)$/i.test(words[next]?.text ?? '')
    )
      next++;
    if (!/^(?:about|regarding)$/i.test(words[next]?.text ?? '')) continue;
    const topic = nominalAt(words, next + 1);
    if (topic.length > 0) return `${kind} with ${spelt(names)} about ${spelt(topic)}`;
  }
  return null;
};
