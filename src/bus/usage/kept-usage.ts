import { UserSums } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { machineOf, type Node } from '../members/index.js';

const { value: most } = fixedLimits.usageNames;
const { value: mostOfEngine } = fixedLimits.usageEngineNames;
/** Ms over which the home of a name adds up the reported opens. All limits of opens are limits per minute. */
const window = 60_000;
/**
 * Ms after which an engine repeats its report about a user or an address group that has streams on this engine, because
 * the last report may have been lost.
 */
export const repeated = 300_000;
/**
 * Ms without a report after which the streams of a share no longer count. Engines repeat their reports more often
 * (`repeated`). So a share becomes this old only if the report of the last closed stream was lost.
 */
const stale = 3 * repeated;
/** Number of names that each report checks for removal. */
const looked = 2;

/** The reports of one engine about a name: a user or a group of addresses. */
interface Share {
  run: string;
  held: number;
  /** Number of opens since `since`, a time in monotonic ms. */
  taken: number;
  since: number;
  /** Monotonic ms of the last report. */
  last: number;
}

/** Returns the number of streams of a share; 0 if its last report is too old. */
const heldBy = ({ held, last }: Share, now: number): number => (now - last < stale ? held : 0);

/**
 * Returns whether the engine of a share still gets news about the name. Otherwise its next report counts as its first
 * report.
 */
const follows = (share: Share, now: number): boolean => heldBy(share, now) > 0 || now - share.last < window;

/** A message for the engine `to` about a name: the streams and the new opens of all other engines. */
export interface News {
  readonly to: string;
  readonly held: number;
  readonly taken: number;
}

/**
 * Stores the reports of all engines about the users and addresses whose home is this engine. A name without streams is
 * forgotten a minute after its last report.
 */
export class KeptUsage {
  /** The shares of each name, by engine. The name with the oldest report comes first. */
  readonly #names = new Map<string, { readonly shares: Map<string, Share>; last: number }>();
  /** Number of stored shares, by machine. */
  readonly #engines = new UserSums();

  /** @param now returns monotonic ms. */
  constructor(private readonly now: () => number) {}

  get size(): number {
    return this.#names.size;
  }

  /**
   * Adds a report of an engine.
   * @param held number of streams that the engine has now.
   * @param taken number of opens since its last report.
   * @returns news to send to the engines; `full` if there is no space for the name.
   */
  report(engine: Node, name: string, held: number, taken: number): readonly News[] | 'full' {
    const now = this.now();
    this.#forget(now);
    const kept = this.#names.get(name) ?? { shares: new Map<string, Share>(), last: now };
    const before = kept.shares.get(engine.id);
    if (before === undefined && !this.#hasSpace(engine.id, name)) return 'full';
    const isFirst = before === undefined || before.run !== engine.run || !follows(before, now);
    const isNew = before === undefined || before.run !== engine.run || now - before.since >= window;
    const since = isNew ? now : before.since;
    kept.shares.set(engine.id, {
      ...{ run: engine.run, held, since, last: now },
      taken: (isNew ? 0 : before.taken) + taken,
    });
    if (before === undefined) this.#engines.add(machineOf(engine.id), 1);
    kept.last = now;
    this.#names.delete(name);
    this.#names.set(name, kept);
    return kept.shares.size < 2 ? [] : this.#newsOf(kept.shares, { reporter: engine.id, taken, isFirst });
  }

  /**
   * Removes the reports of engines for which `stays` returns false, and all names whose home is a different engine.
   * @returns news to send to the remaining engines, by name.
   */
  keepOnly(
    stays: (engine: Node) => boolean,
    isHome: (name: string) => boolean,
  ): readonly (readonly [string, readonly News[]])[] {
    const changed: [string, readonly News[]][] = [];
    for (const [name, { shares }] of this.#names) {
      const away = isHome(name)
        ? [...shares].filter(([id, { run }]) => !stays({ id, run })).map(([id]) => id)
        : [...shares.keys()];
      for (const id of away) {
        shares.delete(id);
        this.#engines.add(machineOf(id), -1);
      }
      if (shares.size === 0) this.#names.delete(name);
      else if (away.length > 0)
        changed.push([name, this.#newsOf(shares, { reporter: '', taken: 0, isFirst: false })]);
    }
    return changed;
  }

  /**
   * Returns the news for the engines that follow a name. All these engines get the number of streams on the other
   * engines. The engines that did not send the report get its opens. The reporting engine gets earlier opens of the
   * others only after its first report.
   */
  #newsOf(
    shares: ReadonlyMap<string, Share>,
    {
      reporter,
      taken,
      isFirst,
    }: { readonly reporter: string; readonly taken: number; readonly isFirst: boolean },
  ): readonly News[] {
    const now = this.now();
    let held = 0;
    let earlier = 0;
    for (const [id, share] of shares) {
      held += heldBy(share, now);
      if (id !== reporter && now - share.since < window) earlier += share.taken;
    }
    return [...shares]
      .filter(([, share]) => follows(share, now))
      .map(([id, share]) => ({
        to: id,
        held: held - heldBy(share, now),
        taken: id !== reporter ? taken : isFirst ? earlier : 0,
      }));
  }

  #hasSpace(engine: string, name: string): boolean {
    return (
      this.#engines.of(machineOf(engine)) < mostOfEngine && (this.#names.has(name) || this.#names.size < most)
    );
  }

  /**
   * Checks the names with the oldest reports, and forgets names without streams. Names with streams move to the end.
   */
  #forget(now: number): void {
    let count = 0;
    for (const [name, kept] of this.#names) {
      if (++count > looked || now - kept.last < window) return;
      this.#names.delete(name);
      if ([...kept.shares.values()].some((share) => heldBy(share, now) > 0)) {
        kept.last = now;
        this.#names.set(name, kept);
      } else for (const id of kept.shares.keys()) this.#engines.add(machineOf(id), -1);
    }
  }
}
