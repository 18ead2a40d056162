/**
 * Engines register their streams with the homes of users. When a newer stream of the same key opens, the engine with
 * the older stream is told.
 */
import fc from 'fast-check';
import t from 'tap';
import { StreamDirectory } from '../../../src/bus/directory/stream-directory.js';
import { homeOf } from '../../../src/bus/members/home.js';
import type { Members, Node } from '../../../src/bus/members/members.js';
import { fixedLimits } from '../../../src/config/limits/limits.js';

interface Letter {
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

/** Engines in one process whose messages wait until the test delivers them. */
class Fleet {
  readonly letters: Letter[] = [];
  readonly engines = new Map<string, TestEngine>();
  now = 0;

  add(id: string): TestEngine {
    const engine = new TestEngine(id, this);
    this.engines.set(id, engine);
    return engine;
  }

  /** Makes all engines see the same living engines. */
  live(ids: readonly string[] = [...this.engines.keys()]): void {
    for (const engine of this.engines.values()) engine.see(ids);
  }

  deliver(pick: (count: number) => number = () => 0): void {
    while (this.letters.length > 0) {
      const [letter] = this.letters.splice(pick(this.letters.length), 1);
      this.engines.get(letter!.to)?.read(letter!);
    }
  }
}

class TestEngine implements Members {
  readonly replaced: string[] = [];
  readonly directory: StreamDirectory;
  living: readonly Node[] = [];
  ignored = 0;
  #run = 1;
  #changed: () => void = () => undefined;
  #reader: (from: string, text: string) => void = () => undefined;

  constructor(
    readonly id: string,
    private readonly fleet: Fleet,
  ) {
    this.directory = new StreamDirectory({
      members: this,
      replaced: (key) => this.replaced.push(key),
      ignored: () => this.ignored++,
      now: () => fleet.now,
    });
  }

  get self(): Node {
    return { id: this.id, run: `${this.#run}`.padStart(8, '0') };
  }

  home(key: string): string | null {
    return homeOf(
      key,
      this.living.map(({ id }) => id),
    );
  }

  onChange(listener: () => void): () => void {
    this.#changed = listener;
    return () => undefined;
  }

  onMessage(listener: (from: string, text: string) => void): () => void {
    this.#reader = listener;
    return () => undefined;
  }

  send(to: string, text: string): boolean {
    this.fleet.letters.push({ from: this.id, to, text });
    return true;
  }

  see(ids: readonly string[]): void {
    this.living = ids.map((id) => this.fleet.engines.get(id)!.self);
    this.#changed();
  }

  read({ from, text }: Pick<Letter, 'from' | 'text'>): void {
    this.#reader(from, text);
  }

  reconnect(): void {
    this.#run++;
  }

  open(key: string, takenAt: number, user = hash('user')): void {
    this.directory.opened({ user, key, takenAt });
  }
}

const hash = (name: string): string => name.padEnd(22, '_');

const fleetOf = (t: { teardown(action: () => unknown): unknown }, ids: readonly string[]): Fleet => {
  const fleet = new Fleet();
  for (const id of ids) {
    const { directory } = fleet.add(id);
    t.teardown(() => directory.close());
  }
  return fleet;
};

t.test('the older stream is named, wherever it and the home are', async (t) => {
  const fleet = fleetOf(t, ['a.0', 'b.0', 'c.0']);
  fleet.live();
  const engines = [...fleet.engines.values()];
  const [a, b] = engines;
  for (let user = 0; user < 30; user++) {
    const key = hash(`key${user}`);
    a!.open(key, 1, hash(`user${user}`));
    fleet.deliver();
    b!.open(key, 2, hash(`user${user}`));
    fleet.deliver();
  }
  t.equal(a!.replaced.length, 30);
  t.same(b!.replaced, []);
  t.ok(
    engines.every(({ directory }) => directory.kept > 0),
    'the users are spread',
  );
  for (let user = 0; user < 30; user++) b!.directory.closed(hash(`key${user}`));
  fleet.deliver();
  t.equal(
    engines.reduce((sum, { directory }) => sum + directory.kept, 0),
    0,
  );
});

t.test('in any order of messages, all but the newest stream are told', async () => {
  const opens = fc.uniqueArray(
    fc.record({ engine: fc.nat({ max: 3 }), takenAt: fc.integer({ min: 1, max: 999 }) }),
    { minLength: 2, maxLength: 4, selector: ({ engine }) => engine },
  );
  fc.assert(
    fc.property(opens, fc.array(fc.nat(), { minLength: 8, maxLength: 8 }), (opens, picks) => {
      const ids = ['a.0', 'b.0', 'c.0', 'd.0'];
      const ends: (() => unknown)[] = [];
      const fleet = fleetOf({ teardown: (end) => ends.push(end) }, ids);
      fleet.live();
      for (const { engine, takenAt } of opens) fleet.engines.get(ids[engine]!)!.open(hash('key'), takenAt);
      let turn = 0;
      fleet.deliver((count) => (picks[turn++ % picks.length] ?? 0) % count);
      for (const end of ends) end();
      const order = (one: { takenAt: number; engine: number }) => one.takenAt * 10 + one.engine;
      const [newest, ...older] = [...opens].sort((one, other) => order(other) - order(one));
      const told = ({ engine }: { engine: number }): boolean =>
        fleet.engines.get(ids[engine]!)!.replaced.length > 0;
      return !told(newest!) && older.every(told);
    }),
  );
});

t.test('streams are registered again after a change, a reconnect and an outage', async (t) => {
  const fleet = fleetOf(t, ['a.0', 'b.0', 'c.0']);
  const [a, b, c] = [...fleet.engines.values()];
  for (let user = 0; user < 60; user++) a!.open(hash(`key${user}`), 1, hash(`user${user}`));
  const settle = (): number[] => {
    a!.directory.registerWaiting();
    fleet.deliver();
    return [a!, b!, c!].map(({ directory }) => directory.kept);
  };
  const sum = (counts: readonly number[]): number => counts.reduce((one, other) => one + other, 0);
  t.equal(sum(settle()), 0, 'no home without the bus');
  fleet.live();
  const spread = settle();
  t.equal(sum(spread), 60);
  fleet.live(['a.0', 'b.0']);
  const [ofA, ofB] = settle();
  t.equal(ofA! + ofB!, 60, 'the streams of the engine that left have another home');
  t.ok(ofA! >= spread[0]! && ofB! >= spread[1]!, 'the others keep theirs');
  fleet.live();
  t.same(settle(), spread, 'the engine is back');
  b!.reconnect();
  fleet.live();
  t.same(settle(), spread, 'an engine that missed messages learns them again');
  fleet.live([]);
  fleet.live();
  t.same(settle(), spread, 'after an outage of the bus');
  a!.reconnect();
  fleet.live();
  t.same(settle(), spread);
  c!.open(hash('key0'), 2, hash('user0'));
  fleet.deliver();
  t.same(a!.replaced, [hash('key0')]);
});

t.test('registrations after a change are sent in bounded portions', async (t) => {
  const fleet = fleetOf(t, ['a.0', 'b.0']);
  const [a] = [...fleet.engines.values()];
  const all = 4000;
  for (let user = 0; user < all; user++) a!.open(hash(`key${user}`), 1, hash(`user${user}`));
  fleet.live();
  const sent: number[] = [];
  for (let second = 0; second < 20; second++) {
    a!.directory.registerWaiting();
    sent.push(fleet.letters.reduce((bytes, { text }) => bytes + text.length, 0));
    fleet.deliver();
  }
  const { value: most } = fixedLimits.directoryRate;
  t.ok(
    sent.every((bytes) => bytes <= most + 100),
    `at most ${Math.max(...sent)} bytes at once`,
  );
  const kept = [...fleet.engines.values()].reduce((sum, { directory }) => sum + directory.kept, 0);
  t.equal(kept, all, 'all are registered in the end');
});

t.test('malformed messages are dropped and counted', async (t) => {
  const fleet = fleetOf(t, ['a.0', 'b.0']);
  fleet.live();
  const [a] = [...fleet.engines.values()];
  const good = `opened:00000001:${hash('key')}:${hash('user')}:1`;
  const bad = [
    '',
    '{"stream":"KV_cochlea_nodes","seq":1}',
    `${good}0000000000000000`,
    good.replace(':1', ':-1'),
    good.replace('00000001', 'run'),
    `${good} and words`,
    `newer:${hash('key')}x`,
    `closed:${hash('key')}`,
  ];
  for (const text of bad) a!.read({ from: 'b.0', text });
  t.equal(a!.ignored, bad.length);
  t.equal(a!.directory.kept, 0);
  fc.assert(
    fc.property(fc.string(), (text) => {
      a!.read({ from: 'b.0', text });
      return a!.directory.kept === 0;
    }),
  );
});

t.test('only the home of a user is believed, and only a few times in a second', async (t) => {
  const fleet = fleetOf(t, ['a.0', 'b.0', 'c.0']);
  fleet.live();
  const [a] = [...fleet.engines.values()];
  const user = ['1', '2', '3', '4', '5', '6', '7', '8'].map(hash).find((name) => a!.home(name) === 'b.0')!;
  a!.open(hash('key'), 1, user);
  fleet.deliver();
  a!.read({ from: 'c.0', text: `newer:${hash('key')}` });
  a!.read({ from: 'b.0', text: `newer:${hash('other')}` });
  t.same(a!.replaced, []);
  t.equal(a!.ignored, 1);
  const { value: most } = fixedLimits.directoryChecks;
  const flood = () => {
    for (let count = 0; count < most + 10; count++) a!.read({ from: 'b.0', text: `newer:${hash('key')}` });
  };
  flood();
  t.equal(a!.replaced.length, most);
  t.equal(a!.ignored, 11);
  fleet.now += 1000;
  flood();
  t.equal(a!.replaced.length, 2 * most);
});
