import t from 'tap';
import { z } from 'zod';
import { parseJsonList } from '../../../src/config/lists/json-list.js';

const schema = z.array(z.strictObject({ id: z.string(), size: z.number().optional() })).max(2);
const read = (text: string) => parseJsonList(text, schema, 'id', 'boxes');

t.test('reads a list; an empty text is an empty list', async (t) => {
  t.same(read(''), []);
  t.same(read('[]'), []);
  t.same(read('[{"id":"a","size":1},{"id":"b"}]'), [{ id: 'a', size: 1 }, { id: 'b' }]);
});

t.test('names the error of an invalid list without its value', async (t) => {
  for (const [text, message] of [
    ['[{"id":"secret"', /^is not JSON$/],
    ['{"id":"secret"}', /^the list: /],
    ['[{"id":"a"},{"id":7}]', /^1\.id: /],
    ['[{"id":"a"},{"id":"b"},{"id":"c"}]', /^the list: /],
    ['[{"id":"secret"},{"id":"secret"}]', /^two boxes have the same id$/],
  ] as const) {
    t.throws(() => read(text), { message }, text);
    t.throws(() => read(text), { message: /^((?!secret).)*$/ }, 'without what stands in it');
  }
});
