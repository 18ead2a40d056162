import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { type AudioCore, coreRate } from '../../audio/interface/index.js';
import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import type { Journal } from '../../journal/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import { RecordKind, type RingConsumer } from '../../ring/index.js';
import type { RetainAudio } from '../../stt/retained/index.js';
import type { CloseNotice, OpenRequest } from '../../wire/index.js';
import { Conversations, type TranslationChannel } from '../conversation/index.js';
import { HeldImages, type ImageKeeper, PhotoWatch } from '../images/index.js';
import { type CheckSample, SampleMemory } from '../readability/index.js';
import {
  AudioBacklogs,
  type SessionLeaving,
  SharedTexts,
  type TextTime,
  TextTurns,
  UnreadTexts,
} from '../session/index.js';
import { type EngineClock, FrameBatch, Outbox, type ShardPort, UtteranceIds } from '../shared/index.js';
import {
  type ProviderChooser,
  type ProviderSettings,
  providerHealth,
  providerRules,
  type ShardNews,
  tracksPerSlot,
} from '../transcription/index.js';
import type { VoiceMemory } from '../voices/index.js';
import { CoreTurns } from './core-turns.js';
import { RingReader } from './ring-reader.js';
import { salvage } from './salvage.js';
import { SessionEndings } from './session-endings.js';
import { SessionEvents } from './session-events.js';
import { Sessions } from './sessions.js';

/**
 * A client that closes with 1000 is done where its source is a desktop, or where it says so: in the reason of its close frame, or in a
 * message before that. A wearable that vanishes may come back.
 */
const leavingOf = ({ source }: OpenRequest, { code, stops }: CloseNotice): SessionLeaving => {
  if (code !== 1000) return 'release';
  return source === 'desktop' || stops ? 'finish' : 'as_told';
};

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
/**
 * Time for the texts of all streams together. The audio of every stream waits for a pass to end, so however many clients send
 * texts, they delay it by no more than the slice and the length of one text, and take no more than this share of the thread.
 */
const textTime: TextTime = { slice: 0.5, share: fixedLimits.textsTime.value / 100 };
/** The same while the shard drains: no audio waits then, and the texts have to be read in time. */
const drainTextTime: TextTime = { slice: 50, share: 1 };
/** A poisoned utterance is tried three times before the transcriber answers. */
const transcriberTries = 3;
/** Share of the drain timeout that providers may take; the rest is for storing and sending. */
const drainShare = 0.75;

/** Of speech as the core holds it. */
const bytesPerMillisecond = (coreRate / 1000) * Int16Array.BYTES_PER_ELEMENT;

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
    | 'maxImage'
    | 'photosSize'
    | 'photosUserSize'
    | 'audioPace'
    | 'audioBacklog'
    | 'translationEvent'
  > &
    ProviderSettings;
  readonly ring: RingConsumer;
  readonly core: AudioCore;
  readonly journal: Journal;
  /** To the front. */
  readonly port: ShardPort;
  readonly choose: ProviderChooser;
  /** Takes audio that no provider took. */
  readonly retain: RetainAudio;
  /** Stores images. */
  readonly images: ImageKeeper;
  readonly clock: EngineClock;
  /** Present where voices are told apart on this machine. */
  readonly voices?: VoiceMemory | null;
  /** Judges samples of streams; absent where streams are not looked at. */
  readonly checkSample?: CheckSample | null;
  /** Present where segments are translated. */
  readonly translations?: TranslationChannel | null;
  /** What the shards of this process tell each other about providers. */
  readonly news?: ShardNews | undefined;
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
  readonly #conversations: Conversations;
  readonly #sessions: Sessions;
  readonly #texts: TextTurns;
  readonly #unreadTexts = new UnreadTexts();
  readonly #sharedTexts = new SharedTexts();
  readonly #heldImages = new HeldImages();
  readonly #photoWatch: PhotoWatch;
  readonly #turns: CoreTurns;
  readonly #backlogs: AudioBacklogs;
  readonly #reader: RingReader;
  readonly #endings: SessionEndings;
  /** The pass has used up its time for texts: there is more to read. */
  #moreTexts = false;
  #worstLag = 0;
  /** Since the lag was last told, a pass had time left after the frames that it found in the ring. */
  #hadTime = true;
  #draining: Promise<void> | undefined;
  #stopping = false;

  constructor(options: ShardOptions) {
    const { index, slots, settings, ring, core, journal, port, choose, retain } = options;
    const { clock, news, metrics, log } = options;
    this.#options = options;
    this.#outbox = new Outbox(port);
    this.#texts = new TextTurns(() => clock.monotonic());
    this.#photoWatch = new PhotoWatch(journal);
    const { leaseDuration, audioPace: pace, audioBacklog: backlog } = settings;
    const { voices = null, translations = null, checkSample = null } = options;
    const photoBounds = {
      conversation: fixedLimits.photosPerConversation.value,
      user: settings.photosUserSize,
      total: settings.photosSize,
    };
    const { translationEvent } = settings;
    this.#conversations = new Conversations({
      journal,
      clock,
      metrics,
      log,
      leaseDuration,
      voices,
      photoBounds,
      translations,
      translationEvent,
    });
    this.#sessions = new Sessions({
      core,
      journal,
      conversations: this.#conversations,
      outbox: this.#outbox,
      clock,
      metrics,
      log,
      choose,
      retain,
      utteranceIds: new UtteranceIds(index),
      textLimits: settings,
      unreadTexts: this.#unreadTexts,
      sharedTexts: this.#sharedTexts,
      imageKeeper: options.images,
      heldImages: this.#heldImages,
      photoWatch: this.#photoWatch,
      maxImage: settings.maxImage,
      audioBudget: { pace, backlog },
      providerRules: providerRules(settings),
      health: providerHealth(settings, news, metrics),
      tellsVoices: voices !== null,
      readability: checkSample === null ? null : { check: checkSample, memory: new SampleMemory() },
      slots,
    });
    const sessions = this.#sessions;
    const batch = new FrameBatch(core, slots * tracksPerSlot);
    const events = new SessionEvents({ sessions, slots, clock, log });
    const turns = new CoreTurns({ core, clock, metrics, batch, events });
    const backlogs = new AudioBacklogs({ core, clock, decode: () => this.#decode(true) });
    const control = this.#control;
    this.#turns = turns;
    this.#backlogs = backlogs;
    this.#reader = new RingReader({ ring, core, batch, backlogs, sessions, clock, metrics, control });
    const conversations = this.#conversations;
    this.#endings = new SessionEndings({ sessions, conversations, backlogs, turns, metrics, log });
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
    return this.#conversations.awaited;
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
      if (this.#backlogs.waiting) await nextTurn();
      else if (records === 0) await ring.wait(Math.min(this.#moreTexts ? gatherWait : idleWait, due));
      else if (gathering >= 1 && !this.#reader.more) await delay(gathering);
      // A ring that is never empty answers `wait` at once: timers and ports get their turn here.
      await nextTurn();
    }
  }

  /** Makes `run` return after its current pass. */
  stop(): void {
    this.#stopping = true;
    this.#options.ring.wake();
  }

  /** After the loop has failed: retains and stores what is in this thread's memory, as far as that works. Never rejects. */
  async salvage(): Promise<void> {
    const { log, metrics } = this.#options;
    await salvage({
      reader: this.#reader,
      turns: this.#turns,
      sessions: this.#sessions,
      conversations: this.#conversations,
      log,
    });
    metrics.set('speech_held_milliseconds', 0);
  }

  /** Takes what is in the ring and runs the core if it is due. @returns how many records were taken. */
  pass(): number {
    const { clock, core, metrics } = this.#options;
    const began = clock.monotonic();
    const records = this.#reader.read();
    if (core.due(clock.monotonic()) <= 0) this.#decode(false);
    this.#moreTexts =
      this.#texts.waiting && this.#texts.run(this.#sharedTexts.draining ? drainTextTime : textTime);
    this.#worstLag = Math.max(this.#worstLag, this.#reader.takeLag());
    const until = began + gatherWait;
    if (clock.monotonic() < until) this.#hadTime = true;
    this.#backlogs.run(until);
    if (records > 0) metrics.add('turn_microseconds_total', (clock.monotonic() - began) * 1000);
    return records;
  }

  #decode(force: boolean): void {
    this.#turns.run(force);
    this.#options.metrics.add('turns_total');
  }

  /** Stores and sends new segments, ends what fell silent, renews leases. Resolves when all that is done. */
  async tick(): Promise<void> {
    this.#measure();
    this.#sessions.checkProviders();
    const now = this.#options.clock.ring();
    for (const session of this.#sessions) {
      session.audioNotices.tellDropped(now);
      session.expireImages();
      for (const track of session.tracks) track.checkReadability(now);
    }
    const stalled = [...this.#sessions]
      .filter(({ backlog }) => backlog === null)
      .flatMap(({ tracks }) => tracks.filter((track) => track.stalled(now)));
    await Promise.all([
      ...stalled.map(({ handle }) => this.#turns.flush(handle)),
      this.#conversations.tick(),
    ]);
    // Nothing waits for the answer.
    void this.#photoWatch.tick(this.#options.clock.wall());
    this.#conversations.forgetIdle();
  }

  /**
   * Ends every session: open utterances are flushed, results awaited (bounded by the drain timeout), segments stored
   * and sent, leases given back; then the front is told. Once; later calls wait for the first.
   */
  drain(): Promise<void> {
    this.#draining ??= this.#drain();
    return this.#draining;
  }

  readonly #control = (kind: number, slot: number, payload: Buffer): void => {
    try {
      this.#take(kind, slot, payload);
    } catch (thrown) {
      this.#sessions.fault(slot, thrown);
    }
  };

  #take(kind: number, slot: number, payload: Buffer): void {
    switch (kind) {
      case RecordKind.open:
        this.#sessions.open(slot, JSON.parse(payload.toString()) as OpenRequest);
        return;
      case RecordKind.text:
        this.#text(slot, payload);
        return;
      case RecordKind.close:
        this.#close(slot, JSON.parse(payload.toString()) as CloseNotice);
        return;
      case RecordKind.drain:
        void this.drain();
        return;
      default:
        this.#options.log.error({ kind }, 'unknown record in the ring');
    }
  }

  #text(slot: number, bytes: Buffer): void {
    const session = this.#sessions.at(slot);
    session?.text(bytes);
    if (session !== undefined && session.textsWaiting > 0) this.#texts.add(session);
    if (this.#unreadTexts.excessive) this.#texts.fullest?.shedTexts();
  }

  #close(slot: number, notice: CloseNotice): void {
    const session = this.#sessions.at(slot);
    if (session === undefined) return;
    const { transcriberQueue, transcriberTimeout } = this.#options.settings;
    const timeout = transcriberQueue + transcriberTimeout * transcriberTries;
    void this.#endings.end(session, leavingOf(session.request, notice), timeout, true);
  }

  #measure(): void {
    const { clock, metrics } = this.#options;
    const speechBytes = this.#sessions.account();
    metrics.set('speech_buffer_bytes', speechBytes);
    metrics.set('speech_held_milliseconds', speechBytes / bytesPerMillisecond + this.#sessions.held);
    metrics.set('texts_unread_bytes', this.#unreadTexts.bytes);
    metrics.set('images_held_bytes', this.#heldImages.bytes);
    metrics.set('audio_backlog_bytes', this.#backlogs.bytes);
    // Streams whose audio comes in time wait there, too, when there are more of them than this shard can serve.
    const behind = this.#hadTime ? 0 : this.#backlogs.oldestAge(clock.ring());
    metrics.set('shard_lag_milliseconds', Math.max(this.#worstLag, behind));
    this.#worstLag = 0;
    this.#hadTime = false;
  }

  async #drain(): Promise<void> {
    const { log, settings } = this.#options;
    this.#sharedTexts.draining = true;
    const timeout = settings.drainTimeout * drainShare;
    const until = Date.now() + timeout;
    const sessions = [...this.#sessions];
    log.info({ sessions: sessions.length }, 'draining');
    await Promise.all(sessions.map((session) => this.#endings.end(session, 'release', timeout, false)));
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
