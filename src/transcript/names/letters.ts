/**
 * Classes of letters for the patterns of introductions: text for the brackets of a regular expression without the flag
 * `u`. V8 compiles `\p{L}` a hundred times slower: the patterns of English took 150 ms of the shard's thread. Letters
 * outside the Basic Multilingual Plane belong to none of these classes.
 */

/**
 * Blocks of Latin, Greek, Cyrillic, Armenian, Georgian and Hebrew. For these blocks, capital and small letters are
 * distinguished.
 */
const exactBlocks: readonly (readonly [first: number, last: number])[] = [
  [0x41, 0x5f2],
  [0x10a0, 0x10ff],
  [0x1c90, 0x1cbf],
  [0x1e00, 0x1fff],
];
/** Blocks of other scripts. They contain few characters that are not letters, such as digits. */
const otherBlocks =
  '\u0610-\u061a\u0620-\u0669\u066e-\u06d3\u06d5-\u06ff\u0710-\u0963\u0966-\u0df3\u0e01-\u0e3a' +
  '\u0e40-\u0e4e\u0e81-\u109f\u1100-\u135f\u1380-\u166c\u166f-\u1c8f\u1cd0-\u1dff\u2c00-\u2dff' +
  '\u3005\u3041-\u309f\u30a1-\u30fa\u30fc-\u318f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u9fff\ua000-\ud7ff\uf900-\ufd3d\ufd50-\ufdfb' +
  '\ufe70-\ufefc\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc';

/** Returns the characters of `exactBlocks` with a property, as ranges. */
const rangesOf = (property: RegExp): string => {
  const ranges: [first: number, last: number][] = [];
  for (const [first, last] of exactBlocks)
    for (let code = first; code <= last; code++) {
      if (!property.test(String.fromCharCode(code))) continue;
      const range = ranges.at(-1);
      if (range?.[1] === code - 1) range[1] = code;
      else ranges.push([code, code]);
    }
  return ranges.map(([first, last]) => `${String.fromCharCode(first)}-${String.fromCharCode(last)}`).join('');
};

/** Capital letters. */
export const capitals = rangesOf(/\p{Lu}/u);
/** Small letters. */
export const smalls = rangesOf(/\p{Ll}/u);
/** Marks that combine with a letter. */
export const marks = rangesOf(/\p{M}/u);
/** Letters of all scripts, and marks that combine with them. */
export const letters = rangesOf(/[\p{L}\p{M}]/u) + otherBlocks;
/** Pattern of the place where a word begins. */
export const start = `(?<![${letters}'’-])`;
