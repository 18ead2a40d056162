/** The word tagger remembers every word that it sees. A long-lived thread must not grow with its users' words. */
import v8 from 'node:v8';
import vm from 'node:vm';
import t from 'tap';
import { taggedWords } from '../../src/service/structure/language/tagged.js';

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

/** Returns the memory of used objects in MB. */
const used = (): number => {
  collect();
  return process.memoryUsage().heapUsed / 1_048_576;
};

t.test('the tagger does not keep words that occur once', { timeout: 60_000 }, async (t) => {
  let words = 0;
  const tag = (texts: number): void => {
    for (let text = 0; text < texts; text++) {
      taggedWords(Array.from({ length: 1000 }, () => `w${(words++).toString(36)}`).join(' '));
    }
  };
  tag(1);
  const before = used();
  const most = Math.max(
    ...Array.from({ length: 5 }, () => {
      tag(80);
      return used();
    }),
  );
  // Remembering 400,000 words would take about 50 MB.
  t.ok(most - before < 35, `${(most - before).toFixed(0)} MB more`);
  t.match(
    taggedWords('We called Ann.')[1],
    { text: 'called', tag: 'VERB', lemma: 'call' },
    'it still tags words',
  );
});
