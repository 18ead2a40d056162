import fc from 'fast-check';
import t from 'tap';
import { Harness } from '../support/harness.js';

type Step =
  | { readonly kind: 'open' | 'close' | 'say'; readonly slot: number }
  | { readonly kind: 'tick'; readonly milliseconds: number }
  | { readonly kind: 'mode'; readonly mode: 'database' | 'spill' | 'broken' }
  | { readonly kind: 'take-over' }
  | { readonly kind: 'answer'; readonly newest: boolean };

const slot = fc.constantFrom(0, 1, 2);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('open' as const), slot }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('close' as const), slot }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('say' as const), slot }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('tick' as const),
      milliseconds: fc.constantFrom(100, 600, 4000, 11_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('mode' as const),
      mode: fc.constantFrom('database' as const, 'spill' as const, 'broken' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('take-over' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('answer' as const), newest: fc.boolean() }) },
);

/** Slots 0 and 1 are sockets of the same user. Slot 2 belongs to another user. */
const uidOf = (of: number): string => (of === 2 ? 'other' : 'user');

const play = async (steps: readonly Step[]): Promise<Harness> => {
  const h = new Harness({ transcriberTimeout: 60_000 });
  h.provider.manual = true;
  const open = new Set<number>();
  const closedByShard = (of: number): boolean => /^close/.test(h.story(of).at(-1) ?? '');
  for (const action of steps) {
    switch (action.kind) {
      case 'open':
        if (open.has(action.slot)) break;
        open.add(action.slot);
        await h.open(action.slot, { uid: uidOf(action.slot), conversationTimeout: 10 });
        break;
      case 'close':
        if (open.delete(action.slot)) h.close(action.slot);
        await h.settle();
        break;
      case 'say':
        if (open.has(action.slot)) h.say(action.slot, action.slot + 1);
        break;
      case 'tick':
        await h.tick(action.milliseconds);
        break;
      case 'mode':
        h.journal.mode = action.mode;
        break;
      case 'take-over': {
        const [first] = h.journal.inProgress;
        if (first !== undefined) h.journal.takeOver(first.id);
        break;
      }
      case 'answer':
        (action.newest ? h.provider.held.pop() : h.provider.held.shift())?.answer();
        await h.settle();
    }
    for (const of of [...open]) {
      if (!closedByShard(of)) continue;
      open.delete(of);
      h.close(of);
      await h.settle();
    }
  }
  h.journal.mode = 'database';
  for (const of of open) h.close(of);
  await h.settle();
  for (const held of h.provider.held.splice(0)) held.answer();
  for (let round = 0; round < 4; round++) await h.tick();
  return h;
};

t.test('stores every word once, under its own user, for any sequence of events', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const h = await play(steps);
      const words: number[] = [];
      for (const { id, request } of h.journal.conversations.values()) {
        for (const [, voice, word] of h.journal
          .texts(id)
          .join(' ')
          .matchAll(/Voice (\d) says word (\d+)\./g)) {
          if (uidOf(Number(voice) - 1) !== request.uid) return false;
          words.push(Number(word));
        }
      }
      const expected = Array.from({ length: h.provider.utterances }, (_, index) => index + 1);
      if (words.sort((a, b) => a - b).join() !== expected.join()) return false;
      const sent = [0, 1, 2].flatMap((of) => h.segments(of).map(({ text }) => text)).join(' ');
      for (const [, word] of sent.matchAll(/word (\d+)\./g)) if (!words.includes(Number(word))) return false;
      if (h.shard.sessions + h.shard.conversations + h.core.openStreams + h.provider.openStreams > 0)
        return false;
      return [...h.journal.conversations.values()].every(({ leased }) => !leased);
    }),
    { numRuns: 300, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
  );
  t.pass('held for every history tried');
});
