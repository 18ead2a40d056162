import type { Row, SuiteOutcome } from '../../report/index.js';
import type { Half, Sound } from '../../sounds/set.js';
import type { Transcribe, Way } from '../../sounds/transcriber.js';

export interface InventedOptions {
  readonly sounds: readonly Sound[];
  /** Models by name. Each model is loaded just before it is measured. */
  readonly models: readonly { readonly name: string; readonly load: () => Promise<Transcribe> }[];
  readonly ways: readonly Way[];
  readonly tell?: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** Maximum number of characters that are printed of an invented text. */
const shown = 100;

/**
 * Counts words that models write for sounds without words. The report has a row for each model, way, half and kind of
 * sound, and a row for all kinds together. Prints the invented text of each sound that has one.
 */
export const runInvented = async (options: InventedOptions): Promise<SuiteOutcome> => {
  const { sounds, models, ways, tell, signal } = options;
  const results: Row[] = [];
  for (const { name, load } of models) {
    const transcribe = await load();
    for (const way of ways) {
      const sums = new Map<
        string,
        { half: Half; kind: string; words: number; seconds: number; passed: number }
      >();
      for (const { name: of, kind, half, make } of sounds) {
        signal?.throwIfAborted();
        const pcm = await make();
        const { text, words, passed } = await transcribe(pcm, way);
        if (words > 0) tell?.(`${name}, ${way}, ${half}, ${of}: ${words} words: ${text.slice(0, shown)}`);
        for (const group of [kind, 'all']) {
          const key = `${half} ${group}`;
          const sum = sums.get(key) ?? { half, kind: group, words: 0, seconds: 0, passed: 0 };
          sum.words += words;
          sum.seconds += pcm.length / 16_000;
          sum.passed += passed;
          sums.set(key, sum);
        }
      }
      for (const { half, kind, words, seconds, passed } of sums.values())
        results.push({
          suite: 'invented',
          contender: name,
          mode: `${way}, ${half}`,
          material: kind,
          invented_words: words,
          passed_s: Math.round(passed),
          seconds: Math.round(seconds),
        });
    }
  }
  return { results, selfNoise: [], skipped: [], versions: {} };
};
