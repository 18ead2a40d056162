/** The judge of the oracle finds every planted fault, and no other. */
import fc from 'fast-check';
import t from 'tap';
import { judgeTokens, type Said, type StoredConversation } from '../../../bench/oracle/judge.js';
import { tokenOf, wordOf } from '../../../bench/oracle/token-words.js';

const token = (wearable: number, number: number): number => tokenOf({ wearable, number });
const wordsOf = (tokens: readonly number[]): string[] => tokens.map(wordOf);

interface Run {
  readonly said: Said[];
  readonly stored: StoredConversation[];
}

/** A run without a fault: each wearable has one conversation with all its words. */
const flawless = fc
  .array(fc.integer({ min: 3, max: 20 }), { minLength: 1, maxLength: 6 })
  .map((counts): Run => {
    const tokens = counts.map((words, wearable) =>
      Array.from({ length: words }, (_, n) => token(wearable, n)),
    );
    return {
      said: counts.map((words, wearable) => ({
        wearable,
        uid: `user-${wearable}`,
        words,
        acknowledged: new Set(tokens[wearable]),
        sent: new Set(tokens[wearable]),
        resent: new Set<number>(),
      })),
      stored: tokens.map((all, wearable) => ({ id: `c${wearable}`, uid: `user-${wearable}`, tokens: all })),
    };
  });

const none = {
  unsent: [],
  lost: [],
  broken: [],
  doubled: [],
  resentDoubled: [],
  misplaced: [],
  foreign: [],
  divided: [],
} as const;

/** Replaces the tokens of a wearable's conversation. */
const changed = ({ said, stored }: Run, wearable: number, change: (tokens: number[]) => number[]): Run => ({
  said,
  stored: stored.map((one, index) =>
    index === wearable ? { ...one, tokens: change([...one.tokens]) } : one,
  ),
});

/**
 * A run, one of its wearables, and the number of a word of this wearable. The word is neither the first nor the last.
 */
const chosen = fc.tuple(flawless, fc.nat(), fc.nat()).map(([run, some, other]) => {
  const wearable = some % run.said.length;
  return { run, wearable, number: 1 + (other % (run.said[wearable]!.words - 2)) };
});

t.test('a run without a fault', async (t) => {
  fc.assert(
    fc.property(flawless, ({ said, stored }) => {
      const { spoken, stored: found, acknowledged, ...faults } = judgeTokens(said, stored);
      t.same(faults, none);
      t.equal(
        spoken,
        said.reduce((sum, { words }) => sum + words, 0),
      );
      t.same([found, acknowledged], [spoken, spoken]);
    }),
  );
});

t.test('a lost word is broken if it was acknowledged', async (t) => {
  fc.assert(
    fc.property(chosen, fc.boolean(), ({ run, wearable, number }, isKnown) => {
      const lost = token(wearable, number);
      const { said, stored } = changed(run, wearable, (tokens) => tokens.filter((one) => one !== lost));
      if (!isKnown) (said[wearable]!.acknowledged as Set<number>).delete(lost);
      t.match(judgeTokens(said, stored), {
        ...none,
        lost: [wordOf(lost)],
        broken: isKnown ? [wordOf(lost)] : [],
      });
    }),
  );
});

t.test('a word that was never sent is not lost', async (t) => {
  fc.assert(
    fc.property(chosen, ({ run, wearable, number }) => {
      const unsent = token(wearable, number);
      const { said, stored } = changed(run, wearable, (tokens) => tokens.filter((one) => one !== unsent));
      for (const set of ['acknowledged', 'sent'] as const)
        (said[wearable]![set] as Set<number>).delete(unsent);
      t.match(judgeTokens(said, stored), { ...none, unsent: [wordOf(unsent)] });
    }),
  );
});

t.test('a word that is stored twice', async (t) => {
  fc.assert(
    fc.property(chosen, fc.boolean(), ({ run, wearable, number }, isResent) => {
      const twice = token(wearable, number);
      const { said, stored } = changed(run, wearable, (tokens) => [...tokens, twice]);
      if (isResent) (said[wearable]!.resent as Set<number>).add(twice);
      const named = [wordOf(twice)];
      t.match(judgeTokens(said, stored), {
        ...none,
        ...(isResent ? { resentDoubled: named } : { doubled: named }),
      });
    }),
  );
});

t.test('a word at the wrong place', async (t) => {
  fc.assert(
    fc.property(chosen, ({ run, wearable, number }) => {
      const moved = token(wearable, number);
      const { said, stored } = changed(run, wearable, (tokens) => [
        ...tokens.filter((one) => one !== moved),
        moved,
      ]);
      t.match(judgeTokens(said, stored), { ...none, misplaced: [wordOf(moved)] });
    }),
  );
});

t.test('words of another user, and words that nobody said', async (t) => {
  fc.assert(
    fc.property(chosen, ({ run, wearable }) => {
      const strange = [token(wearable, run.said[wearable]!.words), token(run.said.length, 0)];
      const { said, stored } = changed(run, wearable, (tokens) => [...tokens, ...strange]);
      const unknown = { id: 'other', uid: 'other', tokens: [token(wearable, 0)] };
      const verdict = judgeTokens(said, [...stored, unknown]);
      t.match(verdict, { ...none, foreign: wordsOf([...strange, ...unknown.tokens]) });
    }),
  );
});

t.test('a conversation that was divided', async (t) => {
  fc.assert(
    fc.property(chosen, ({ run, wearable, number }) => {
      const { uid, tokens } = run.stored[wearable]!;
      const parts = [tokens.slice(0, number), tokens.slice(number)];
      const stored = run.stored.flatMap((one, index) =>
        index === wearable ? parts.map((part, half) => ({ id: `${half}`, uid, tokens: part })) : one,
      );
      t.match(judgeTokens(run.said, stored), { ...none, divided: [[uid, 2]] });
    }),
  );
});

t.test('a conversation without words does not count', async (t) => {
  const said = [
    {
      wearable: 0,
      uid: 'a',
      words: 1,
      acknowledged: new Set<number>(),
      sent: new Set([0]),
      resent: new Set<number>(),
    },
  ];
  const stored = [
    { id: '1', uid: 'a', tokens: [0] },
    { id: '2', uid: 'a', tokens: [] },
  ];
  t.match(judgeTokens(said, stored), none);
});
