/**
 * Measures, with the model if this machine has it, for which searches the console shows no result. The service itself
 * always returns the nearest conversations.
 */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { ensureModel, modelOptions } from '../../src/models/ensure.js';
import { SentenceEncoder, sentenceModel } from '../../src/models/sentence-encoder.js';
import { dot } from '../../src/service/search/rank.js';
import { absent, wanted, withoutMeaning } from '../support/texts/relevance-queries.js';

interface Conversation {
  readonly id: string;
  readonly language: string;
  readonly judged?: { readonly title: string; readonly overview: string };
}

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const { values } = loadSettings({ ...process.env, SENTENCE_MODEL: 'minilm' });
const files = await ensureModel('minilm', modelOptions(values)).catch((error: Error) => error.message);

t.test(
  'the least relevance of the console keeps what is wanted, and hides what is not',
  { skip: typeof files === 'string' ? files : false },
  async (t) => {
    if (typeof files === 'string') return;
    const records = read('src/console/conversations/records.ts');
    const least = Number(/^const leastRelevance = ([\d.]+);$/m.exec(records)![1]);
    const encoder = await SentenceEncoder.load(sentenceModel('minilm'), files);
    const conversations = JSON.parse(read('fixtures/structure/conversations.json')) as Conversation[];
    const vectors = new Map<string, Float32Array>();
    for (const { id, language, judged } of conversations)
      if (language === 'en' && judged && judged.title !== '')
        vectors.set(id, await encoder.encode(`${judged.title}. ${judged.overview}`));
    t.equal(vectors.size, 56);
    const nearest = async (query: string): Promise<number> => {
      const vector = await encoder.encode(query);
      return Math.max(...[...vectors.values()].map((other) => dot(vector, other)));
    };
    const hidden = async (queries: readonly string[]): Promise<number> => {
      const best = await Promise.all(queries.map(nearest));
      return best.filter((similarity) => similarity < least).length;
    };
    const own = await Promise.all(
      wanted.map(async ([id, query]) => dot(await encoder.encode(query), vectors.get(id)!)),
    );
    const shown = own.filter((similarity) => similarity >= least).length;
    const [nothing, none] = [await hidden(withoutMeaning), await hidden(absent)];
    t.comment(`${least}: ${shown} of 30 shown, ${nothing} of 20 and ${none} of 12 answered with nothing`);
    t.ok(shown >= 24, `${shown} wanted conversations of ${wanted.length} are shown`);
    t.ok(nothing >= 17, `${nothing} texts without meaning of ${withoutMeaning.length} find nothing`);
    t.ok(none >= 7, `${none} absent subjects of ${absent.length} find nothing`);
  },
);
