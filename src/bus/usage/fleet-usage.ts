import { performance } from 'node:perf_hooks';
import { hashedName } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { type Members, NameBudgets, registrationOf } from '../members/index.js';
import { KeptUsage, type News, repeated } from './kept-usage.js';
import { isUsage, readUsage, type UsageKind, type UsageMessage, usageKinds, writeUsage } from './messages.js';

const { value: mostNames } = fixedLimits.usageEngineNames;
const { value: mostBytes } = fixedLimits.usageRate;
/** Largest number in a message. */
const largest = 999_999;
/** Length in ms of the window in which opens are counted. All limits of opens are limits per minute. */
const window = 60_000;
/**
 * Ms without use after which this engine forgets a name without streams. At this time, the home of the name no longer
 * sends news about it.
 */
const forgotten = 2 * window;
/**
 * Maximum number of client addresses among the names. Clients without an account can use very many addresses, so the
 * other half of the names is only for users.
 */
const mostAddresses = mostNames / 2;
/** Number of names that are checked for removal with each use of a name, and with each tick of the timer. */
const looked = { use: 2, tick: 500 } as const;

/**
 * What this engine knows about a name, which is a user or a group of addresses: streams and opens on this engine, and
 * streams on the other engines.
 */
interface Own {
  readonly kind: UsageKind;
  /** The user or the group of addresses. */
  readonly subject: string;
  readonly name: string;
  held: number;
  /** Number of opens that were not reported to the home yet. */
  untold: number;
  /** Number of opens since `since`, a time in monotonic ms. */
  recent: number;
  since: number;
  last: number;
  /** Monotonic ms of the last report. */
  told: number;
  /** Number of streams on other engines. */
  elsewhere: number;
  /**
   * The home that got the last report, with its run and the run of this engine (`registrationOf`); empty if no current
   * home got a report.
   */
  home: string;
}

export interface FleetUsageOptions {
  readonly members: Members;
  /**
   * Threshold for reports of opens, by kind. If a name has this many unreported opens, they are reported immediately.
   * If it has this many opens in a minute, further opens are reported within a second. Fewer opens are reported only
   * together with a change of the name's streams.
   */
  readonly quiet: Readonly<Record<UsageKind, number>>;
  /**
   * Called for each message that is malformed or from the wrong engine, and for each name that is not counted because a
   * limit is reached.
   */
  readonly ignored: () => void;
  /** Returns monotonic ms. */
  readonly now?: () => number;
}

/**
 * Reports the streams and opens of this engine to the homes of their users and addresses. Learns the streams and opens
 * of the other engines. Each engine applies its own limits to the sum of its own and these streams and opens. Messages
 * contain hashes and two numbers.
 *
 * Engines do not wait for answers. So engines that open streams of one user within the same milliseconds do not count
 * each other's streams. Without the bus, each engine counts only its own streams and opens.
 */
export class FleetUsage {
  /** The names of this engine, by kind and subject. The name with the oldest use comes first. */
  readonly #own = new Map<string, Own>();
  readonly #byName = new Map<string, Own>();
  readonly #kept: KeptUsage;
  readonly #waiting = new Set<Own>();
  readonly #listeners: {
    readonly kind: UsageKind;
    readonly taken: (subject: string, amount: number) => void;
  }[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #ends: (() => void)[];
  readonly #now: () => number;
  #run: string;
  /** Number of addresses among the names. */
  #addresses = 0;
  #sent = { since: 0, bytes: 0 };
  /**
   * Budget of each machine for the bytes of news that are sent to it. Without this budget, one message of an engine
   * could cause many messages.
   */
  readonly #news = new NameBudgets(mostBytes, 2 * mostBytes);

  constructor(private readonly options: FleetUsageOptions) {
    const { members, now = () => performance.now() } = options;
    this.#now = now;
    this.#kept = new KeptUsage(now);
    this.#run = members.self.run;
    this.#ends = [
      members.onChange(() => this.#membersChanged()),
      members.onMessage((from, text) => {
        if (isUsage(text)) this.#receive(from, text);
      }),
    ];
    this.#timer = setInterval(() => this.tick(), 1000).unref();
  }

  /** Number of names that this engine keeps as their home. */
  get kept(): number {
    return this.#kept.size;
  }

  /** Returns the number of streams that a user or a group of addresses has on the other engines. */
  elsewhere(kind: UsageKind, subject: string): number {
    return this.#own.get(`${kind} ${subject}`)?.elsewhere ?? 0;
  }

  /** Reports the number of streams that a user or a group of addresses has on this engine. */
  holds(kind: UsageKind, subject: string, held: number): void {
    const own = this.#use(kind, subject);
    if (own === undefined || own.held === held) return;
    own.held = held;
    this.#report(own);
  }

  /** Reports opens of a user or an address. */
  takes(kind: UsageKind, subject: string, amount = 1): void {
    const own = this.#use(kind, subject);
    if (own === undefined) return;
    const now = this.#now();
    if (now - own.since >= window) Object.assign(own, { recent: 0, since: now });
    own.recent += amount;
    own.untold += amount;
    const quiet = this.options.quiet[kind];
    if (own.untold >= quiet) this.#report(own);
    else if (own.recent >= quiet) this.#waiting.add(own);
  }

  /** Calls `taken` with opens of other engines. */
  onTaken(kind: UsageKind, taken: (subject: string, amount: number) => void): void {
    this.#listeners.push({ kind, taken });
  }

  /**
   * Sends waiting reports within the rate `usageRate`, and forgets names without use. A timer calls it every second.
   */
  tick(): void {
    for (const own of this.#waiting) if (!this.#send(own)) break;
    this.#forget(looked.tick);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const end of this.#ends) end();
  }

  #use(kind: UsageKind, subject: string): Own | undefined {
    const key = `${kind} ${subject}`;
    const now = this.#now();
    this.#forget(looked.use);
    let own = this.#own.get(key);
    if (own === undefined) {
      const isAddress = kind.endsWith('address');
      if (this.#own.size >= mostNames || (isAddress && this.#addresses >= mostAddresses)) {
        this.options.ignored();
        return undefined;
      }
      const name = hashedName(key);
      own = {
        ...{ kind, subject, name, held: 0, untold: 0, recent: 0 },
        ...{ since: now, last: now, told: now, elsewhere: 0, home: '' },
      };
      if (isAddress) this.#addresses++;
      this.#byName.set(name, own);
    }
    own.last = now;
    this.#own.delete(key);
    this.#own.set(key, own);
    return own;
  }

  /** Reports the use of a name at once. If there is no home or the budget is used up, the report is sent later. */
  #report(own: Own): void {
    this.#waiting.add(own);
    this.#send(own);
  }

  /** Sends the report of a name to its home. @returns false if no report can be sent now. */
  #send(own: Own): boolean {
    const { members } = this.options;
    const home = members.home(own.name);
    if (home === null) return false;
    const { kind, name, held } = own;
    const taken = Math.min(own.untold, largest);
    const use = {
      of: 'used',
      kind,
      name,
      held: Math.min(held, largest),
      taken,
      run: members.self.run,
    } as const;
    if (home === members.self.id) this.#keep(home, use);
    else {
      const text = writeUsage(use);
      if (!this.#spend(text.length) || !members.send(home, text)) return false;
    }
    own.untold = 0;
    own.told = this.#now();
    own.home = registrationOf(members, own.name);
    this.#waiting.delete(own);
    return true;
  }

  #spend(bytes: number): boolean {
    const now = this.#now();
    if (now - this.#sent.since >= 1000) this.#sent = { since: now, bytes: 0 };
    if (this.#sent.bytes + bytes > mostBytes) return false;
    this.#sent.bytes += bytes;
    return true;
  }

  #receive(from: string, text: string): void {
    this.#forgetBefore();
    const message = readUsage(text);
    if (message === null) this.options.ignored();
    else if (message.of === 'used') this.#keep(from, message);
    else this.#learn(from, message);
  }

  /** Stores a report about a name whose home is this engine, and tells the engines that follow the name. */
  #keep(from: string, { kind, name, held, taken, run }: UsageMessage & { readonly of: 'used' }): void {
    const news = this.#kept.report({ id: from, run }, `${usageKinds.indexOf(kind)}${name}`, held, taken);
    if (news === 'full') this.options.ignored();
    else this.#tell(kind, name, news);
  }

  #tell(kind: UsageKind, name: string, news: readonly News[]): void {
    const { members } = this.options;
    for (const { to, held, taken } of news) {
      const message = {
        ...({ of: 'elsewhere', kind, name } as const),
        ...{ held: Math.min(held, largest), taken: Math.min(taken, largest) },
      };
      const text = writeUsage(message);
      if (to === members.self.id) this.#learn(to, message);
      else if (this.#news.take(to, text.length, this.#now())) members.send(to, text);
    }
  }

  /**
   * Stores the number of streams on the other engines, and passes on their opens. Ignores messages that do not come
   * from the home of the name.
   */
  #learn(from: string, { kind, name, held, taken }: UsageMessage): void {
    const own = this.#byName.get(name);
    if (own === undefined || own.kind !== kind) return;
    if (this.options.members.home(name) !== from) {
      this.options.ignored();
      return;
    }
    own.elsewhere = held;
    if (taken === 0) return;
    for (const listener of this.#listeners) if (listener.kind === kind) listener.taken(own.subject, taken);
  }

  /** Forgets the reports that other engines sent before this engine reconnected. They report again. */
  #forgetBefore(): void {
    const { run } = this.options.members.self;
    if (this.#run !== run)
      this.#kept.keepOnly(
        () => false,
        () => false,
      );
    this.#run = run;
  }

  #membersChanged(): void {
    const { members } = this.options;
    this.#forgetBefore();
    const runs = new Map(members.living.map(({ id, run }) => [id, run]));
    if (runs.size > 0) {
      const changed = this.#kept.keepOnly(
        ({ id, run }) => runs.get(id) === run,
        (name) => members.home(name.slice(1)) === members.self.id,
      );
      for (const [name, news] of changed) this.#tell(usageKinds[Number(name[0])]!, name.slice(1), news);
    }
    for (const own of this.#own.values()) {
      if (own.home === '' || own.home === registrationOf(members, own.name)) continue;
      Object.assign(own, { home: '', elsewhere: 0 });
      if (own.held > 0) this.#waiting.add(own);
    }
  }

  /**
   * Checks at most `most` names, beginning with the oldest use, and forgets unused names without streams. Names with
   * streams move to the end. Their reports are repeated, because a message may have been lost.
   */
  #forget(most: number): void {
    const now = this.#now();
    let count = 0;
    for (const [key, own] of this.#own) {
      if (++count > most || now - own.last < forgotten) return;
      this.#own.delete(key);
      if (own.held > 0) {
        own.last = now;
        this.#own.set(key, own);
        if (now - own.told >= repeated) this.#waiting.add(own);
        continue;
      }
      if (own.kind.endsWith('address')) this.#addresses--;
      this.#byName.delete(own.name);
      this.#waiting.delete(own);
    }
  }
}
