/** The console names the recorder of a conversation in progress in everyday words. */
import t from 'tap';
import { recorderOf } from '../../../src/console/shared/recorder-names.js';
import { conversationSources } from '../../../src/wire/source.js';

t.test('every source has words, and unknown sources are a device', async (t) => {
  for (const source of conversationSources) {
    const words = recorderOf(source);
    t.match(words, /^(an? )?[A-Za-z ]+$/, source);
    if (/_/.test(source)) t.not(words, source);
  }
  for (const source of ['svc', 'unknown', 'something_new', '__proto__', 'constructor'])
    t.equal(recorderOf(source), 'a device', source);
});
