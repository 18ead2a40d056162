/** Tests the search for sentences of conversations that answer a question: how many are compared, and their cost. */
import t from 'tap';
import { passagesOf, type Source } from '../../src/service/answer/passages.js';
import { rulesHere } from '../../src/service/text/text-rules.js';

const source = (...texts: string[]): Source => ({
  conversation: {
    id: 'c',
    created_at: '2024-01-10T10:00:00Z',
    started_at: null,
    structured: {
      title: 'T',
      overview: 'It was about keys.',
      emoji: '',
      category: 'other',
      action_items: [],
      events: [],
    },
  },
  said: texts,
});

const none = { embed: async () => undefined };

t.test('without vectors, words of the question select the passage', async (t) => {
  const found = await passagesOf({ search: none, rules: rulesHere }, 'ann', 'Where is the spare key?', [
    source('We had tea. The spare key hangs on a nail.'),
    source('The key is lost.'),
  ]);
  t.equal(found[0]!.text, 'The spare key hangs on a nail.');
  t.ok(found.every(({ relevance }, at) => relevance <= (found[at - 1]?.relevance ?? 1)));
});

t.test('a sentence that the overview repeats with other punctuation is found once', async (t) => {
  const found = await passagesOf({ search: none, rules: rulesHere }, 'ann', 'What about keys?', [
    source('it was about keys'),
  ]);
  t.same(
    found.map(({ text }) => text),
    ['It was about keys.'],
  );
});

t.test('reads a bounded part of long conversations and compares few sentences', async (t) => {
  const long = (sentences: number): Source =>
    source(
      ...Array.from(
        { length: sentences },
        (_, n) => `Number ${n} is a sentence that says little about anything.`,
      ),
    );
  let compared = 0;
  const counting = {
    embed: async (texts: readonly string[]) => {
      compared = texts.length;
      return undefined;
    },
  };
  const cpu = async (sentences: number): Promise<number> => {
    const sources = Array.from({ length: 10 }, () => long(sentences));
    const before = process.cpuUsage();
    await passagesOf({ search: counting, rules: rulesHere }, 'ann', 'What does a sentence say?', sources);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  await cpu(10);
  const once = Math.max(await cpu(400), 20_000);
  t.ok(
    (await cpu(20_000)) < 8 * once,
    'conversations of fifty times the length take less than eight times the time',
  );
  t.ok(compared <= 51, `${compared} texts are compared for ten conversations`);
});
