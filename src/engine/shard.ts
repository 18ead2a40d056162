import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { AudioCore } from '../audio/core.js';
import type { Settings } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import type { Journal } from '../journal/journal.js';
import type { Logger } from '../log/index.js';
import { type MetricsRow, metricCell } from '../metrics/index.js';
import { RecordKind, type RingConsumer, ringAge, ringTicks } from '../ring/index.js';
import type { CloseNotice, OpenRequest } from '../wire/stream.js';
import type { EngineClock } from './clock.js';
import { Committer } from './committer.js';
import { Completions } from './completions.js';
import { ConnectionSession, type SessionContext } from './connection-session.js';
import { LiveConversation } from './conversation.js';
import { SessionEvents } from './core-events.js';
import { CoreTurns } from './core-turns.js';
import { FrameBatch } from './frame-batch.js';
import { LeaseRenewal } from './lease-renewal.js';
import { Outbox, type ShardPort } from './outbox.js';
import type { ProviderChooser } from './provider-link.js';
import { TextTurns } from './text-turns.js';
import { trackOfTag, tracksPerSlot } from './track-voices.js';
import { UtteranceIds } from './utterance-ids.js';

/**
 * Longest sleep of an idle shard, in ms. A record wakes it; what bounds this is that a lost wake-up must not matter, and
 * that the front sees it turn.
 */
const idleWait = 100;
/**
 * Passes that find records begin this far apart at least, in ms, so that frames gather: a wake-up costs more than several
 * frames. Further apart gains nothing: caches are the colder the longer the thread slept.
 */
const gatherWait = 8;
const overBudgetCell = metricCell('frames_over_budget_total');
/**
 * Ms that a pass may spend on the texts of all streams together. The audio of every stream waits for a pass to end, so
 * however many clients send texts, they delay it by no more than this and the length of one text.
 */
const textSlice = 0.5;
/** The same while the shard drains: no audio waits then, and the texts have to be read in time. */
const drainTextSlice = 50;
/** A poisoned utterance is tried three times before the transcriber answers. */
const transcriberTries = 3;
/** Share of the drain timeout that providers may take; the rest is for storing and sending. */
const drainShare = 0.75;

export interface ShardOptions {
  /** Number of this shard and how many there are: utterance ids of a process must not meet. */
  readonly index: number;
  readonly slots: number;
  readonly settings: Pick<
    Settings,
    | 'leaseDuration'
    | 'drainTimeout'
    | 'transcriberQueue'
    | 'transcriberTimeout'
    | 'maxText'
    | 'maxImageChunk'
    | 'audioPace'
    | 'audioBacklog'
  >;
  readonly ring: RingConsumer;
  readonly core: AudioCore;
  readonly journal: Journal;
  /** To the front. */
  readonly port: ShardPort;
  readonly choose: ProviderChooser;
  readonly clock: EngineClock;
  readonly metrics: MetricsRow;
  readonly log: Logger;
}

/**
 * One shard: takes records from its ring, runs the audio core over everything that arrived, and gives what comes out
 * to the sessions. Belongs to one thread. `run` is its loop; `pass` and `tick` are what the loop and the timer do, so
 * that a test can drive a shard step by step.
 */
export class Shard {
  readonly #options: ShardOptions;
  readonly #outbox: Outbox;
  readonly #completions: Completions;
  readonly #context: SessionContext;
  readonly #slots: (ConnectionSession | undefined)[];
  /** Sessions that hold a slot or still wait for their last words. */
  readonly #sessions = new Set<ConnectionSession>();
  readonly #texts: TextTurns;
  readonly #conversations = new Map<string, LiveConversation>();
  readonly #batch: FrameBatch;
  readonly #turns: CoreTurns;
  readonly #renewal: LeaseRenewal;
  /** The pass stopped early: there is more in the ring. */
  #more = false;
  /** The pass has used up its time for texts: there is more to read. */
  #moreTexts = false;
  #oldestArrival = -1;
  #worstLag = 0;
  #draining: Promise<void> | undefined;
  #stopping = false;

  constructor(options: ShardOptions) {
    const { clock, core, journal, log, metrics, choose } = options;
    this.#options = options;
    this.#slots = new Array<ConnectionSession | undefined>(options.slots).fill(undefined);
    this.#batch = new FrameBatch(core, options.slots * tracksPerSlot);
    const events = new SessionEvents({ sessions: this.#slots, clock, log });
    this.#turns = new CoreTurns({ core, clock, metrics, batch: this.#batch, events });
    const { leaseDuration } = options.settings;
    this.#renewal = new LeaseRenewal({ journal, clock, leaseDuration, log });
    this.#texts = new TextTurns(() => clock.monotonic());
    this.#outbox = new Outbox(options.port);
    this.#completions = new Completions(journal, clock);
    const committer = new Committer(journal);
    const conversation = { journal, committer, completions: this.#completions, clock, metrics, log };
    this.#context = {
      core,
      journal,
      outbox: this.#outbox,
      clock,
      metrics,
      log,
      choose,
      textLimits: options.settings,
      audioBudget: { pace: options.settings.audioPace, backlog: options.settings.audioBacklog },
      textsWait: (session) => this.#texts.add(session),
      conversationOf: ({ uid, source, deviceId, ...request }) => {
        const name = JSON.stringify([uid, source, deviceId]);
        let found = this.#conversations.get(name);
        if (found === undefined) {
          const {
            language,
            conversationTimeout: timeout,
            clientPlatform,
            customStt: usesCustomStt,
          } = request;
          found = new LiveConversation(
            { uid, source, deviceId },
            { language, timeout, clientPlatform, usesCustomStt },
            conversation,
          );
          this.#conversations.set(name, found);
        }
        return found;
      },
      slots: options.slots,
      flushStream: (handle) => this.#turns.flush(handle),
      utteranceIds: new UtteranceIds(options.index),
      released: (session) => {
        const { slot } = session.address;
        if (this.#slots[slot] === session) this.#slots[slot] = undefined;
        this.#outbox.released(session.address);
      },
      ended: (session) => {
        this.#sessions.delete(session);
        metrics.set('sessions_active', this.#sessions.size);
        this.#forgetIdle();
      },
    };
  }

  /** Sessions not yet ended, sockets or not. */
  get sessions(): number {
    return this.#sessions.size;
  }

  get conversations(): number {
    return this.#conversations.size;
  }

  /** Conversations whose completion a socket waits for. */
  get awaited(): number {
    return this.#completions.size;
  }

  /** Serves until `stop`. Every wait is bounded, and the thread's event loop turns at least once a pass. */
  async run(): Promise<void> {
    const { core, clock, ring } = this.#options;
    while (!this.#stopping) {
      ring.beat();
      const began = clock.monotonic();
      const records = this.pass();
      const now = clock.monotonic();
      const due = Math.max(0, core.due(now));
      const gathering = Math.min(began + gatherWait - now, due);
      if (records === 0) await ring.wait(Math.min(this.#moreTexts ? gatherWait : idleWait, due));
      else if (gathering >= 1 && !this.#more) await delay(gathering);
      // A ring that is never empty answers `wait` at once: timers and ports get their turn here.
      await nextTurn();
    }
  }

  /** Makes `run` return after its current pass. */
  stop(): void {
    this.#stopping = true;
    this.#options.ring.wake();
  }

  /** Takes what is in the ring and runs the core if it is due. @returns how many records were taken. */
  pass(): number {
    const { clock, core, metrics, ring } = this.#options;
    const began = clock.monotonic();
    this.#more = false;
    const records = ring.drain(this.#visit);
    this.#batch.push(clock.monotonic());
    ring.release();
    if (core.due(clock.monotonic()) <= 0) {
      this.#turns.run();
      metrics.add('turns_total');
    }
    this.#moreTexts =
      this.#texts.waiting && this.#texts.run(this.#draining === undefined ? textSlice : drainTextSlice);
    if (this.#oldestArrival >= 0) {
      this.#worstLag = Math.max(this.#worstLag, ringAge(this.#oldestArrival, clock.ring()));
      this.#oldestArrival = -1;
    }
    if (records > 0) metrics.add('turn_microseconds_total', (clock.monotonic() - began) * 1000);
    return records;
  }

  /** Stores and sends new segments, ends what fell silent, renews leases. Resolves when all that is done. */
  async tick(): Promise<void> {
    this.#measure();
    const now = this.#options.clock.ring();
    const stalled = [...this.#sessions].flatMap(({ tracks }) => tracks.filter((track) => track.stalled(now)));
    await Promise.all([
      ...stalled.map(({ handle }) => this.#turns.flush(handle)),
      ...[...this.#conversations.values()].map((conversation) => conversation.tick()),
      this.#renewal.tick(this.#conversations.values()),
    ]);
    this.#forgetIdle();
  }

  /**
   * Ends every session: open utterances are flushed, results awaited (bounded by the drain timeout), segments stored
   * and sent, leases given back; then the front is told. Once; later calls wait for the first.
   */
  drain(): Promise<void> {
    this.#draining ??= this.#drain();
    return this.#draining;
  }

  readonly #visit = (
    kind: number,
    slot: number,
    offset: number,
    length: number,
    arrival: number,
  ): boolean => {
    if (kind === RecordKind.audio) {
      this.#more = this.#audio(slot, offset, length, arrival);
      return !this.#more;
    }
    // Audio that came before this record is decoded before the record counts.
    this.#batch.push(this.#options.clock.monotonic());
    try {
      this.#control(kind, slot, offset, length);
    } catch (thrown) {
      this.#fault(this.#slots[slot], thrown);
    }
    return true;
  };

  /** @returns whether this stream has had enough for one pass. */
  #audio(slot: number, offset: number, length: number, arrival: number): boolean {
    const session = this.#slots[slot];
    if (session === undefined || !session.takesAudio) return false;
    if (this.#oldestArrival < 0) this.#oldestArrival = arrival;
    const ticks = ringTicks(arrival);
    if (!session.tagged) {
      if (!session.tracks[0]!.frameCame(arrival)) return this.#refuse(session, arrival);
      return this.#batch.add(slot, offset, length, ticks);
    }
    // An empty frame has no tag: what lies at its offset is another frame's.
    const track = length === 0 ? undefined : session.tracks[trackOfTag(this.#options.ring.data[offset]!)];
    if (track === undefined) {
      this.#options.metrics.add('frames_untagged_total');
      return false;
    }
    if (!track.frameCame(arrival)) return this.#refuse(session, arrival);
    return this.#batch.add(track.handle, offset + 1, length - 1, ticks);
  }

  /** A frame more than its stream may send. */
  #refuse(session: ConnectionSession, arrival: number): false {
    this.#options.metrics.addCell(overBudgetCell, 1);
    session.audioOverBudget(arrival);
    return false;
  }

  #control(kind: number, slot: number, offset: number, length: number): void {
    switch (kind) {
      case RecordKind.open:
        this.#open(slot, JSON.parse(this.#bytes(offset, length).toString()) as OpenRequest);
        return;
      case RecordKind.text:
        this.#slots[slot]?.text(this.#bytes(offset, length));
        return;
      case RecordKind.close:
        this.#close(slot, JSON.parse(this.#bytes(offset, length).toString()) as CloseNotice);
        return;
      case RecordKind.drain:
        void this.drain();
        return;
      default:
        this.#options.log.error({ kind }, 'unknown record in the ring');
    }
  }

  #open(slot: number, request: OpenRequest): void {
    const session = new ConnectionSession(slot, request, this.#context);
    this.#slots[slot] = session;
    this.#sessions.add(session);
    this.#options.metrics.set('sessions_active', this.#sessions.size);
    session.open();
  }

  #close(slot: number, notice: CloseNotice): void {
    const session = this.#slots[slot];
    if (session === undefined) return;
    // A desktop that says goodbye is done; a wearable that vanishes may come back.
    const finished = session.request.source === 'desktop' && notice.code === 1000;
    const { transcriberQueue, transcriberTimeout } = this.#options.settings;
    const timeout = transcriberQueue + transcriberTimeout * transcriberTries;
    void session.end(finished ? 'finish' : 'release', timeout, true);
  }

  #fault(session: ConnectionSession | undefined, thrown: unknown): void {
    if (thrown instanceof CochleaError) session?.violated(thrown);
    else {
      this.#options.log.error({ err: thrown }, 'record was not handled');
      session?.fault(thrown);
    }
  }

  /** The payload of a record where it lies in the ring: gone after `release`. */
  #bytes(offset: number, length: number): Buffer {
    const { data } = this.#options.ring;
    return Buffer.from(data.buffer, data.byteOffset + offset, length);
  }

  #measure(): void {
    const { metrics } = this.#options;
    let speechBytes = 0;
    for (const session of this.#sessions) speechBytes += session.account();
    metrics.set('speech_buffer_bytes', speechBytes);
    metrics.set('shard_lag_milliseconds', this.#worstLag);
    this.#worstLag = 0;
  }

  #forgetIdle(): void {
    for (const [name, conversation] of this.#conversations) {
      if (conversation.idle) this.#conversations.delete(name);
    }
  }

  async #drain(): Promise<void> {
    const { log, settings } = this.#options;
    const timeout = settings.drainTimeout * drainShare;
    const until = Date.now() + timeout;
    const sessions = [...this.#sessions];
    log.info({ sessions: sessions.length }, 'draining');
    await Promise.all(sessions.map((session) => session.end('release', timeout, false)));
    // Sessions whose sockets went earlier are still waiting for their last words.
    await this.#whenEnded(until);
    await this.tick();
    this.#outbox.drained();
    this.#outbox.flush();
  }

  async #whenEnded(until: number): Promise<void> {
    while (this.#sessions.size > 0 && Date.now() < until) await delay(5);
  }
}
