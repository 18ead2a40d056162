/** Tests the size limit of a live conversation. Shards and sidecar read a conversation completely when it ends. */
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { Harness } from '../support/harness.js';

const text = 'Ab cd. '.repeat(280).trim();
const suggestion = {
  type: 'suggested_transcript',
  segments: Array.from({ length: 32 }, (_, index) => ({
    text,
    speaker: `SPEAKER_0${index % 2}`,
    start: index * 100,
    end: index * 100 + 50,
  })),
};
const perMessage = suggestion.segments.length * (text.length + 256 + 'SPEAKER_00'.length);
const messages = Math.ceil(fixedLimits.conversationSize.value / perMessage);

t.test('ends a full conversation and begins another one with the next words', async (t) => {
  const h = new Harness();
  await h.open(0, { customStt: true, conversationTimeout: 14_400 });
  const first = h.conversationId(0);
  for (let count = 0; count < messages - 1; count++) {
    h.text(0, suggestion);
    await h.tick(7000);
  }
  t.equal(h.journal.conversations.get(first)?.status, 'in_progress', 'just below the bound');
  h.text(0, suggestion);
  await h.tick(7000);
  t.equal(h.journal.conversations.get(first)?.status, 'processing');
  t.equal(h.events(0, 'memory_processing_started').length, 1);
  h.text(0, { type: 'suggested_transcript', segments: [{ text: 'Next.' }] });
  await h.tick(7000);
  const second = h.conversationId(0);
  t.not(second, first);
  t.same(h.journal.texts(second), ['Next.']);
  const stored = h.journal.live(first).map(({ segment }) => segment.text);
  t.equal(
    stored.join(' ').match(/Ab/g)?.length,
    messages * suggestion.segments.length * 280,
    'nothing is lost',
  );
});

t.test('counts words that were stored before a reconnect', async (t) => {
  const h = new Harness();
  await h.open(0, { customStt: true, conversationTimeout: 14_400 });
  const first = h.conversationId(0);
  for (let count = 0; count < messages; count++) {
    if (count === messages - 1) {
      h.close(0);
      await h.settle();
      await h.open(0, { customStt: true, conversationTimeout: 14_400 });
      t.equal(h.conversationId(0), first, 'it goes on');
    }
    h.text(0, suggestion);
    await h.tick(7000);
  }
  t.equal(h.journal.conversations.get(first)?.status, 'processing');
});
