import { performance } from 'node:perf_hooks';
import { fixedLimits } from '../../config/limits/index.js';
import { type Members, type Node, registrationOf, usageMark } from '../members/index.js';
import { KeptStreams } from './kept-streams.js';
import { type DirectoryMessage, type OpenStream, readMessage, writeMessage } from './messages.js';

const { value: mostOwn } = fixedLimits.directoryEngineStreams;
const { value: mostRegistered } = fixedLimits.directoryRate;
const { value: mostChecks } = fixedLimits.directoryChecks;

/** An open stream of this engine, and the home with which it is registered. */
interface Own extends OpenStream {
  /**
   * The home with which the stream is registered, the run of this home, and the run of this engine (`registrationOf`).
   * Empty while the stream is not registered.
   */
  registered: string;
}

export interface DirectoryOptions {
  readonly members: Members;
  /**
   * Called with the key of a stream if another engine may have a newer stream of the key. The callee checks the
   * database.
   */
  readonly replaced: (key: string) => void;
  /**
   * Called for each message that is malformed or exceeds a limit, and for each registration that is refused because a
   * limit is reached.
   */
  readonly ignored: () => void;
  /** Returns monotonic ms. */
  readonly now?: () => number;
}

/**
 * Registers the open streams of this engine with the homes of their users. As the home of some users, this engine also
 * keeps the newest streams of these users on all engines. If two engines have a stream of one key, the home tells the
 * engine with the older stream.
 *
 * Messages can be lost, late or false. So an engine that gets the message `newer` checks the database before it acts.
 * Without the bus, an engine learns of a newer stream on another engine only when its older stream stores the next
 * words.
 */
export class StreamDirectory {
  readonly #own = new Map<string, Own>();
  readonly #kept = new KeptStreams();
  /**
   * Keys of this engine's streams that are not registered with their home yet. In each second, a limited number is
   * registered.
   */
  readonly #waiting = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  readonly #ends: (() => void)[];
  readonly #now: () => number;
  #run: string;
  #checks = { since: 0, count: 0 };

  constructor(private readonly options: DirectoryOptions) {
    const { members, now = () => performance.now() } = options;
    this.#now = now;
    this.#run = members.self.run;
    this.#ends = [
      members.onChange(() => this.#membersChanged()),
      members.onMessage((from, text) => this.#receive(from, text)),
    ];
    this.#timer = setInterval(() => this.registerWaiting(), 1000).unref();
  }

  /** Number of streams that this engine keeps because it is the home of their users. */
  get kept(): number {
    return this.#kept.size;
  }

  /** Registers a stream that this engine has opened or reopened. */
  opened(stream: OpenStream): void {
    const before = this.#own.get(stream.key);
    if (before === undefined && this.#own.size >= mostOwn) {
      this.options.ignored();
      return;
    }
    this.#own.set(stream.key, { ...stream, registered: '' });
    if (!this.#register(this.#own.get(stream.key)!)) this.#waiting.add(stream.key);
  }

  /** Forgets a stream that this engine has closed, and tells the home of its user. */
  closed(key: string): void {
    const own = this.#own.get(key);
    if (own === undefined) return;
    this.#own.delete(key);
    this.#waiting.delete(key);
    const { members } = this.options;
    const home = members.home(own.user);
    if (home !== null && own.registered !== '')
      this.#send(home, { kind: 'closed', run: members.self.run, key });
  }

  /**
   * Registers waiting streams with their homes, until `directoryRate` bytes are sent. A timer calls it every second.
   */
  registerWaiting(): void {
    const { members } = this.options;
    let bytes = 0;
    for (const key of this.#waiting) {
      const own = this.#own.get(key);
      if (own === undefined || own.registered === registrationOf(members, own.user))
        this.#waiting.delete(key);
      else if (bytes >= mostRegistered || !this.#register(own)) return;
      else {
        this.#waiting.delete(key);
        bytes += writeMessage({ kind: 'opened', run: this.#run, ...own }).length;
      }
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const end of this.#ends) end();
  }

  #register(own: Own): boolean {
    const { members } = this.options;
    const home = members.home(own.user);
    if (home === null) return false;
    const { key, user, takenAt } = own;
    if (!this.#send(home, { kind: 'opened', run: members.self.run, key, user, takenAt })) return false;
    own.registered = registrationOf(members, own.user);
    return true;
  }

  /** Sends a message to an engine, which may be this one. @returns whether it was sent. */
  #send(to: string, message: DirectoryMessage): boolean {
    const { members } = this.options;
    if (to !== members.self.id) return members.send(to, writeMessage(message));
    this.#apply(to, message);
    return true;
  }

  /**
   * Forgets streams that other engines registered before this engine reconnected. They register their streams again.
   */
  #forgetBefore(): void {
    const { run } = this.options.members.self;
    if (this.#run !== run) this.#kept.keepOnly(() => false);
    this.#run = run;
  }

  #receive(from: string, text: string): void {
    if (text.startsWith(usageMark)) return;
    this.#forgetBefore();
    const message = readMessage(text);
    if (message === null) this.options.ignored();
    else this.#apply(from, message);
  }

  #apply(from: string, message: DirectoryMessage): void {
    if (message.kind === 'opened') this.#keep({ id: from, run: message.run }, message);
    else if (message.kind === 'closed') this.#kept.closed(from, message.key);
    else this.#check(from, message.key);
  }

  #keep(engine: Node, { user, key, takenAt }: OpenStream): void {
    const result = this.#kept.opened(engine, { user, key, takenAt });
    if (result === 'full') this.options.ignored();
    else if (result.older !== null) this.#send(result.older, { kind: 'newer', key });
  }

  /**
   * Handles a report that a newer stream of a key exists. If the report comes from the home of the stream's user, the
   * stream's shard asks the database.
   */
  #check(from: string, key: string): void {
    const own = this.#own.get(key);
    // The stream may have been closed meanwhile.
    if (own === undefined) return;
    const now = this.#now();
    if (now - this.#checks.since >= 1000) this.#checks = { since: now, count: 0 };
    if (this.options.members.home(own.user) !== from || this.#checks.count >= mostChecks) {
      this.options.ignored();
      return;
    }
    this.#checks.count++;
    this.options.replaced(key);
  }

  #membersChanged(): void {
    const { members } = this.options;
    this.#forgetBefore();
    const runs = new Map(members.living.map(({ id, run }) => [id, run]));
    if (runs.size > 0) {
      this.#kept.keepOnly(
        ({ engine, run, user }) => runs.get(engine) === run && members.home(user) === members.self.id,
      );
    }
    for (const [key, own] of this.#own) {
      if (runs.size === 0) own.registered = '';
      if (own.registered === '' || own.registered !== registrationOf(members, own.user))
        this.#waiting.add(key);
    }
  }
}
