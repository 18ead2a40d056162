import { type List, lists, listsOf } from '../../keywords/lists.js';
import type { ReadSentence } from '../../keywords/material.js';
import { type Counts, countsOf, differenceInterval, recallOf, wordErrorOf } from '../../keywords/score.js';
import { type Band, type DecodeSentence, inBand } from '../../keywords/transcriber.js';
import type { Row, SuiteOutcome } from '../../report/index.js';
import { type Half, halfOf } from '../../sounds/set.js';

export interface KeywordsOptions {
  readonly sentences: readonly ReadSentence[];
  /** Models by name. Each model is loaded just before it is measured. */
  readonly models: readonly { readonly name: string; readonly load: () => Promise<DecodeSentence> }[];
  readonly bands: readonly Band[];
  readonly tell?: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** Results of one sentence that was decoded with one list. */
interface Result {
  readonly half: Half;
  readonly counts: Counts;
  readonly tried: boolean;
  readonly cpu: number;
}

const rounded = (value: number): number => Math.round(10_000 * value) / 10_000;
const sumOf = (results: readonly Result[], of: (result: Result) => number): number =>
  results.reduce((sum, result) => sum + of(result), 0);

/** Returns the fields of a row. @param before results of the same sentences without a list. */
const rowOf = (results: readonly Result[], before: readonly Result[]) => {
  const [counts, plain] = [results, before].map((all) => all.map((one) => one.counts));
  const [errorLow, errorHigh] = differenceInterval(counts!, plain!, wordErrorOf);
  const [recallLow, recallHigh] = differenceInterval(counts!, plain!, recallOf);
  return {
    rare_word_recall: rounded(recallOf(counts!)),
    recall_change_low: rounded(recallLow),
    recall_change_high: rounded(recallHigh),
    word_error: rounded(wordErrorOf(counts!)),
    word_error_change_low: rounded(errorLow),
    word_error_change_high: rounded(errorHigh),
    second_decodes: rounded(sumOf(results, ({ tried }) => Number(tried)) / results.length),
    cpu_ratio: rounded(sumOf(results, ({ cpu }) => cpu) / sumOf(before, ({ cpu }) => cpu)),
    words: sumOf(results, (one) => one.counts.words),
    rare_words: sumOf(results, (one) => one.counts.rare),
  };
};

/**
 * Decodes sentences with lists of keywords. The report has a row for each model, kind of audio, half and list. For each
 * sentence, all lists are tried in turn, so that other programs affect their CPU time equally.
 */
export const runKeywords = async (options: KeywordsOptions): Promise<SuiteOutcome> => {
  const { sentences, models, bands, tell, signal } = options;
  const rows: Row[] = [];
  for (const { name, load } of models) {
    const decode = await load();
    for (const band of bands) {
      const results = new Map<List, Result[]>(lists.map((list) => [list, []]));
      for (const sentence of sentences) {
        const pcm = inBand(await sentence.load(), band);
        const words = listsOf(sentence, sentences);
        for (const list of lists) {
          signal?.throwIfAborted();
          const { text, trials, cpu } = await decode(pcm, words[list]);
          const counts = countsOf(sentence.text, sentence.rare, text);
          results.get(list)!.push({ half: halfOf(sentence.name), counts, tried: trials > 0, cpu });
        }
      }
      tell?.(`${name}, ${band}: ${sentences.length} sentences`);
      for (const half of ['choosing', 'validating', 'both'])
        for (const [list, all] of results) {
          const isOf = (result: Result): boolean => half === 'both' || result.half === half;
          const before = results.get('none')!.filter(isOf);
          if (before.length === 0) continue;
          const mode = `${list}; ${half}`;
          const own = rowOf(all.filter(isOf), before);
          rows.push({ suite: 'keywords', contender: name, material: band, mode, ...own });
        }
    }
  }
  return { results: rows, selfNoise: [], skipped: [], versions: {} };
};
