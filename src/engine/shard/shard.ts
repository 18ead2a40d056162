import { setTimeout as delay } from 'node:timers/promises';
import { type AudioCore, coreRate } from '../../audio/interface/index.js';
import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import type { ShardStreams } from '../../journal/feeds/index.js';
import type { Journal } from '../../journal/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import { RecordKind, type RingConsumer } from '../../ring/index.js';
import type { SpeakerLanguages } from '../../stt/providers/index.js';
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
import { gatherWait, PassPace, passWaits } from './pass-pace.js';
import { RingReader } from './ring-reader.js';
import { salvage } from './salvage.js';
import { SessionEndings } from './session-endings.js';
import { SessionEvents } from './session-events.js';
import { Sessions } from './sessions.js';

/**
 * Decides whether a closed socket ends its conversation. With close code 1000, the conversation ends in two cases: the
 * source is a desktop, or the close reason or a message of the client contains `stop`. Any other close only releases
 * the conversation, because a wearable that disappears may come back.
 */
const leavingOf = ({ source }: OpenRequest, { code, stops }: CloseNotice): SessionLeaving => {
  if (code !== 1000) return 'release';
  return source === 'desktop' || stops ? 'finish' : 'as_told';
};

/**
 * Maximum time in ms that an idle shard sleeps. A record wakes the shard earlier. If that wake-up is lost, the
 * shard still continues. Each pass also shows the front that the loop runs.
 */
const longestIdle = 500;
/** Maximum time in ms that a shard with an asynchronous detector sleeps. */
const detectorWait = 100;
/** Minimum number of passes of an idle shard within `SHARD_TIMEOUT`, so that it does not count as lost. */
const idlePasses = 10;
/**
 * Limits the time for the texts of all streams together, because the audio of every stream waits for the end of a
 * pass. Texts delay audio by at most `slice` ms plus one text. In the long run they use at most `share` of the
 * thread's time.
 */
const textTime: TextTime = { slice: 0.5, share: fixedLimits.textsTime.value / 100 };
/**
 * Limits the time for texts while the shard drains. The limit is higher than `textTime`, because no audio waits then,
 * and the texts must be read before the drain timeout.
 */
const drainTextTime: TextTime = { slice: 50, share: 1 };
/** Number of attempts that the transcriber makes for one utterance before it reports a failure. */
const transcriberTries = 3;
/** Share of the drain timeout that providers may use. The rest is for storing and sending. */
const drainShare = 0.75;

/** Number of bytes of 1 ms of speech in the core: 16-bit mono samples at 16 kHz. */
const bytesPerMillisecond = (coreRate / 1000) * Int16Array.BYTES_PER_ELEMENT;

export interface ShardOptions {
  /** Number of this shard. Utterance ids include it, which makes them unique within the process. */
  readonly index: number;
  readonly slots: number;
  readonly settings: Pick<
    Settings,
    | 'leaseDuration'
    | 'shardTimeout'
    | 'idleTimeout'
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
  /** Port to the front. */
  readonly port: ShardPort;
  readonly choose: ProviderChooser;
  /** Returns the languages that a user may speak on a stream with `language=multi`. */
  readonly speakerLanguages: SpeakerLanguages;
  /** Stores audio that no provider accepted. */
  readonly retain: RetainAudio;
  /** Stores images. */
  readonly images: ImageKeeper;
  readonly clock: EngineClock;
  /** Voices of the conversations; absent if diarization is disabled. */
  readonly voices?: VoiceMemory | null;
  /** Judges samples of streams; absent if the readability check is disabled. */
  readonly checkSample?: CheckSample | null;
  /** Translates segments; absent if translation is disabled. */
  readonly translations?: TranslationChannel | null;
  /** Announces streams to other engines; absent without a bus. */
  readonly streams?: ShardStreams | undefined;
  /** Exchanges reports about failed providers with the other shards of this process. */
  readonly news?: ShardNews | undefined;
  readonly metrics: MetricsRow;
  readonly log: Logger;
}

/**
 * One shard: reads records from its ring, runs the audio core over all frames, and passes the events of the core to the
 * sessions. It belongs to one thread. `run` is its loop, which calls `pass`; a timer calls `tick`. Tests call both to
 * drive a shard step by step.
 */
export class Shard {
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
  /** Whether the last pass stopped reading texts because their time was spent. */
  #moreTexts = false;
  #worstLag = 0;
  /** Whether some pass since the last measurement had time left after it read its ring. */
  #hadTime = true;
  #draining: Promise<void> | undefined;
  #stopping = false;

  constructor(private readonly options: ShardOptions) {
    const { index, slots, settings, ring, core, journal, port, choose, retain } = options;
    const { clock, news, metrics, log } = options;
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
    const { streams } = options;
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
      streams,
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
      speakerLanguages: options.speakerLanguages,
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
      idleTimeout: settings.idleTimeout,
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
    const backlogs = new AudioBacklogs({ core, clock, decode: () => this.#decode() });
    const control = this.#control;
    this.#turns = turns;
    this.#backlogs = backlogs;
    this.#reader = new RingReader({ ring, core, batch, backlogs, sessions, clock, metrics, control });
    const conversations = this.#conversations;
    this.#endings = new SessionEndings({ sessions, conversations, backlogs, turns, metrics, log });
  }

  /** Number of sessions that have not ended, with or without a socket. */
  get sessions(): number {
    return this.#sessions.size;
  }

  get conversations(): number {
    return this.#conversations.size;
  }

  /** Number of conversations with a socket that waits for their completion. */
  get awaited(): number {
    return this.#conversations.awaited;
  }

  /** Serves until `stop`. Every wait is bounded, and the thread's event loop runs at least once per pass. */
  async run(): Promise<void> {
    const { core, clock, ring, settings } = this.options;
    // Results of an asynchronous detector do not wake the shard, so passes must look for them often.
    const idle = core.capabilities.synchronous ? longestIdle : detectorWait;
    const idleWait = Math.min(idle, settings.shardTimeout / idlePasses);
    const pace = new PassPace(passWaits(ring), clock);
    try {
      while (!this.#stopping) {
        ring.beat();
        const began = clock.monotonic();
        const records = this.pass();
        const due = Math.max(0, core.due(clock.monotonic()));
        const longest = Math.min(this.#moreTexts ? gatherWait : idleWait, due);
        const unread = this.#backlogs.waiting || this.#reader.more || due === 0;
        await pace.next({ began, records, unread, longest });
      }
    } finally {
      pace.stop();
    }
  }

  /** Makes `run` return after the current pass. */
  stop(): void {
    this.#stopping = true;
    this.options.ring.wake();
  }

  /** Retains speech and stores words of this shard after its loop has failed. Never rejects. */
  async salvage(): Promise<void> {
    const { log, metrics } = this.options;
    await salvage({
      reader: this.#reader,
      turns: this.#turns,
      sessions: this.#sessions,
      conversations: this.#conversations,
      log,
    });
    metrics.set('speech_held_milliseconds', 0);
  }

  /** Reads the ring, and runs the core if a turn is due. @returns the number of records read. */
  pass(): number {
    const { clock, core, metrics } = this.options;
    const began = clock.monotonic();
    const records = this.#reader.read();
    // If a turn is due before the next pass can begin, it runs now. Otherwise it would need a pass of its own.
    if (core.due(clock.monotonic()) <= gatherWait) this.#decode();
    this.#moreTexts =
      this.#texts.waiting && this.#texts.run(this.#sharedTexts.draining ? drainTextTime : textTime);
    this.#worstLag = Math.max(this.#worstLag, this.#reader.takeLag());
    const until = began + gatherWait;
    if (clock.monotonic() < until) this.#hadTime = true;
    this.#backlogs.run(until);
    if (records > 0) metrics.add('turn_microseconds_total', (clock.monotonic() - began) * 1000);
    return records;
  }

  #decode(): void {
    this.#turns.run();
    this.options.metrics.add('turns_total');
  }

  /**
   * Stores and sends new segments, ends silent conversations and renews the lease. Resolves when all three are
   * finished.
   */
  async tick(): Promise<void> {
    this.#measure();
    this.#sessions.checkProviders();
    const now = this.options.clock.ring();
    for (const session of this.#sessions) {
      session.audioNotices.tellDropped(now);
      session.expireImages();
      session.tellActivity();
      for (const track of session.tracks) track.checkReadability(now);
    }
    const stalled = [...this.#sessions]
      .filter(({ backlog }) => backlog === null)
      .flatMap(({ tracks }) => tracks.filter((track) => track.stalled(now)));
    await Promise.all([
      ...stalled.map(({ handle }) => this.#turns.flush(handle)),
      this.#conversations.tick(),
    ]);
    // Image descriptions are queried in the background, so that the tick does not wait for them.
    void this.#photoWatch.tick(this.options.clock.wall());
    for (const session of this.#sessions) session.tellPosition();
    this.#conversations.forgetIdle();
  }

  /**
   * Ends every session: flushes open utterances, waits for results within the drain timeout, stores and sends
   * segments, and releases leases. Then it reports to the front. Later calls return the promise of the first call.
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
        this.options.log.error({ kind }, 'unknown record in the ring');
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
    const { transcriberQueue, transcriberTimeout } = this.options.settings;
    const timeout = transcriberQueue + transcriberTimeout * transcriberTries;
    const how = { orderly: notice.code === 1000, release: true };
    void this.#endings.end(session, leavingOf(session.request, notice), timeout, how);
  }

  #measure(): void {
    const { clock, metrics } = this.options;
    const speechBytes = this.#sessions.account();
    metrics.set('speech_buffer_bytes', speechBytes);
    metrics.set('speech_held_milliseconds', speechBytes / bytesPerMillisecond + this.#sessions.held);
    metrics.set('texts_unread_bytes', this.#unreadTexts.bytes);
    metrics.set('images_held_bytes', this.#heldImages.bytes);
    metrics.set('audio_backlog_bytes', this.#backlogs.bytes);
    // If no pass had time left, the backlogs also contain audio of streams that send in real time. The age of this
    // audio then counts as lag.
    const behind = this.#hadTime ? 0 : this.#backlogs.oldestAge(clock.ring());
    metrics.set('shard_lag_milliseconds', Math.max(this.#worstLag, behind));
    this.#worstLag = 0;
    this.#hadTime = false;
  }

  async #drain(): Promise<void> {
    const { log, settings } = this.options;
    this.#sharedTexts.draining = true;
    const timeout = settings.drainTimeout * drainShare;
    const until = Date.now() + timeout;
    const sessions = [...this.#sessions];
    log.info({ sessions: sessions.length }, 'draining');
    const how = { orderly: false, release: false };
    await Promise.all(sessions.map((session) => this.#endings.end(session, 'release', timeout, how)));
    // Also waits for sessions whose sockets closed before the drain.
    await this.#whenEnded(until);
    await this.tick();
    this.#outbox.drained();
    this.#outbox.flush();
  }

  async #whenEnded(until: number): Promise<void> {
    while (this.#sessions.size > 0 && Date.now() < until) await delay(5);
  }
}
