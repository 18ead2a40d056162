/** Mutants of the text of an SQL statement or a part of one. */
import type { Mutant } from './mutant.js';

export type TextMutant = Omit<Mutant, 'line'>;

/** Matches words that end the condition before them. */
const conditionEnd =
  /^(?:and|or|order by|group by|limit|offset|for update|returning|on conflict|union|then|when|else|end|as|over|desc|asc)\b/i;

/** Placeholder for every character that a template inserts. */
const inserted = '\u0001';

/** Returns the text with every `${...}` of a template replaced by characters that no rule matches. The length stays equal. */
const masked = (text: string): string => {
  let open = 0;
  return text.replace(/\$\{|[{}]|[^{}$]+|\$/g, (part) => {
    if (part === '${' || (part === '{' && open > 0)) open++;
    const inside = open > 0;
    if (part === '}' && open > 0) open--;
    return inside ? inserted.repeat(part.length) : part;
  });
};

/** Returns the end of the condition that begins at `start`: before the next keyword, or before the closing parenthesis. */
const endOfCondition = (text: string, start: number): number => {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (letter === '(') depth++;
    else if (letter === ')' && --depth < 0) return at;
    else if (letter === '`' || (letter === "'" && depth === 0 && text.slice(at + 1).trim() === '')) return at;
    else if (depth === 0 && at > start && /\s/.test(text[at - 1]!)) {
      if (conditionEnd.test(text.slice(at))) return at;
      // An inserted value after an operator belongs to the condition. Any other inserted part is outside.
      if (letter === inserted && !/[=<>(,+-]\s+$/.test(text.slice(start, at))) return at;
    }
  }
  return text.length;
};

/** Yields mutants without each condition. The condition's parameters stay in the statement, which would fail without their types. */
const conditions = function* (text: string, shown: string): Generator<TextMutant> {
  for (const match of shown.matchAll(/\b(?:where|and|or)\s+/gi)) {
    const start = match.index + match[0].length;
    const end = start + text.slice(start, endOfCondition(shown, start)).trimEnd().length;
    if (end === start) continue;
    const neutral = /^or/i.test(match[0]) ? 'and false' : 'or true';
    yield { start, end, replacement: `((${text.slice(start, end)}) ${neutral})` };
  }
};

/** Keywords of a statement and their replacements. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\bdesc\b/gi, 'asc'],
  [/\basc\b/gi, 'desc'],
  [/\border by [\w.]+(?=\s*[,)`]|\s+limit|\s*$)/gi, '$& desc'],
  [/(?<=\s)>=(?=\s)/g, '>'],
  [/(?<=\s)<=(?=\s)/g, '<'],
  [/(?<=\s)>(?=\s)/g, '>='],
  [/(?<=\s)<(?=\s)/g, '<='],
  [/\boffset \$\d+/gi, '$& * 0'],
  [/\blimit \$\d+/gi, '$& + 1000'],
];

/** Checks whether a text is an SQL statement or a part of one. */
export const isSql = (text: string): boolean =>
  /\b(?:select|delete from|insert into) |^\s*[`']?\s*(?:and|where|order by) |\w (?:desc|asc)\b|\bis (?:not )?null\b/.test(
    text,
  );

/** Returns the mutants of a statement, with offsets in the text. */
export const sqlMutants = (text: string): TextMutant[] => {
  const shown = masked(text);
  const changed = words.flatMap(([pattern, replacement]) =>
    [...shown.matchAll(pattern)].map(({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
      replacement: replacement.replace('$&', () => text.slice(index, index + found.length)),
    })),
  );
  return [...conditions(text, shown), ...changed];
};
