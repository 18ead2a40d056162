import type { TranslationChannel } from '../../../src/engine/conversation/translation-channel.js';
import type { CheckSample } from '../../../src/engine/readability/stream-check.js';
import { Shard, type ShardOptions } from '../../../src/engine/shard/shard.js';
import type { ReviseVoices, TellVoices } from '../../../src/engine/voices/channel.js';
import { VoiceMemory } from '../../../src/engine/voices/memory.js';
import type { RecognitionModel } from '../../../src/engine/voices/recognition.js';
import { revisePacked } from '../../../src/engine/voices/revise-packed.js';
import type { ShardStreams } from '../../../src/journal/feeds/stream-feed.js';
import { createLogger } from '../../../src/log/logger.js';
import { type Distribution, MetricsTable } from '../../../src/metrics/metrics.js';
import type { HistogramName, MetricName } from '../../../src/metrics/names.js';
import { speakerModel } from '../../../src/models/speaker-model.js';
import { RecordKind } from '../../../src/ring/layout.js';
import { createRing, RingConsumer, RingProducer } from '../../../src/ring/ring.js';
import { selectProvider } from '../../../src/stt/providers/select-provider.js';
import type { Provider, UtteranceRequest } from '../../../src/stt/shared/provider.js';
import type { LiveSegment } from '../../../src/wire/segment.js';
import type { OpenRequest, ShardMessage } from '../../../src/wire/stream.js';
import { FakeCore } from './fake-core.js';
import { FakeImageKeeper } from './fake-image-keeper.js';
import { FakeJournal } from './fake-journal.js';
import { FakeProvider } from './fake-provider.js';

export type ServerEvent = Record<string, unknown> & { readonly type: string };

/** Returns speech frames of the fake codec. */
export const speech = (voice: number, frames = 25): number[] => new Array<number>(frames).fill(voice);
export const silence = (frames = 30): number[] => new Array<number>(frames).fill(0);

export interface HarnessOptions {
  readonly synchronous?: boolean;
  readonly providers?: readonly FakeProvider[];
  /** Providers that accept audio. The shard tries them before all other providers. */
  readonly audioProviders?: readonly Provider[];
  readonly settings?: Partial<ShardOptions['settings']>;
  readonly slots?: number;
  /** Languages that users without languages in their settings may speak. */
  readonly languages?: readonly string[];
  /** Function that distinguishes voices (diarization). */
  readonly tellVoices?: TellVoices;
  /** Model that compares voices with voices known to the journal. Null or absent: recognition is off. */
  readonly recognition?: RecognitionModel | null;
  /** Function that reassigns voices. Default: the real rule. */
  readonly reviseVoices?: ReviseVoices;
  /** Maximum number of entries in a conversation's voice history. */
  readonly voiceHistory?: number;
  /** Channel that translates segments. */
  readonly translations?: TranslationChannel;
  readonly streams?: ShardStreams;
  /** Function that judges samples of streams. */
  readonly checkSample?: CheckSample;
  readonly transcriberTimeout?: number;
  /** Gets every line of the shard's log, at the level debug. Default: nothing is logged. */
  readonly log?: (line: string) => void;
  readonly audioBacklog?: number;
  readonly drainTimeout?: number;
  /** Replacement for the shard's sleep. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
  /** Another engine on the same database. */
  readonly sharesWith?: Harness;
  /** Decoding time of a frame, in ms. */
  readonly frameCost?: number;
}

/** Returns the request to open an admitted stream as the front sends it, with the test's changes. */
export const openRequest = (wishes: Partial<OpenRequest> = {}): OpenRequest => ({
  stream: 'stream',
  generation: 0,
  uid: 'user',
  language: 'en',
  format: { codec: 'pcm8', sampleRate: 8000, channels: 1 },
  conversationTimeout: 120,
  source: 'phone',
  customStt: false,
  includeSpeechProfile: true,
  sttService: null,
  deviceId: null,
  clientPlatform: null,
  acceptedAt: 0,
  ...wishes,
});

/** A shard on a real ring. All its dependencies are fake, and all clocks are stopped. */
export class Harness {
  readonly clock = { now: 1_700_000_000_000 };
  /** Time in ms by which the ring writer's clock is ahead of the shard's clock. */
  ahead = 0;
  readonly journal: FakeJournal;
  readonly images = new FakeImageKeeper();
  readonly providers: readonly FakeProvider[];
  readonly core: FakeCore;
  readonly shard: Shard;
  readonly sent: ShardMessage[] = [];
  /** Utterances that no provider accepted, with the reason. */
  readonly retained: (UtteranceRequest & { readonly reason: string })[] = [];
  /** Whether there is space for retained audio. */
  canRetain = true;
  /** Whether a sleep lasts until the test wakes the shard. Otherwise a sleep takes no time. */
  sleeps = false;
  readonly sleepers: (() => void)[] = [];
  readonly #metrics = new MetricsTable(1);
  readonly #producer: RingProducer;
  readonly #generations: number[] = [];

  constructor(options: HarnessOptions = {}) {
    this.journal = new FakeJournal(options.sharesWith?.journal);
    const memory = createRing(1 << 20);
    const ring = new RingConsumer(memory);
    this.#producer = new RingProducer(memory);
    const { frameCost = 0 } = options;
    this.core = new FakeCore(ring.data, {
      ...options,
      onDecode: () => {
        this.clock.now += frameCost;
      },
    });
    this.providers = options.providers ?? [new FakeProvider()];
    const slots = options.slots ?? 8;
    for (let slot = 0; slot < slots; slot++) this.#generations.push(0);
    this.shard = new Shard({
      index: 1,
      slots,
      settings: {
        leaseDuration: 30_000,
        shardTimeout: 10_000,
        drainTimeout: options.drainTimeout ?? 50,
        transcriberQueue: 0,
        maxText: 65_536,
        maxImageChunk: 1_048_576,
        maxImage: 4_194_304,
        photosSize: 1_000_000_000,
        photosUserSize: 1_000_000_000,
        audioPace: 4,
        idleTimeout: 90_000,
        audioBacklog: options.audioBacklog ?? 120_000,
        vadPreRoll: 300,
        vadMinSpeech: 250,
        vadMaxUtterance: 15_000,
        interimWords: true,
        interimSettled: 1000,
        interimWhole: 6000,
        translationEvent: 'translation',
        sttConnectTimeout: 1000,
        sttAnswerTimeout: 30_000,
        sttFailovers: 0,
        sttBreakerFailures: 3,
        sttBreakerPause: 30_000,
        ...options.settings,
        transcriberTimeout: options.transcriberTimeout ?? 5,
      },
      ring,
      core: this.core,
      journal: this.journal,
      port: {
        postMessage: (messages) => {
          this.sent.push(...messages);
          for (const message of messages) {
            if (message.kind === 'released') this.#generations[message.slot]!++;
          }
        },
      },
      speakerLanguages: (user) => (user?.languages.length ? user.languages : (options.languages ?? [])),
      choose: (language, wanted, exclude) => {
        const all: readonly Provider[] = [...(options.audioProviders ?? []), ...this.providers];
        const rest = all.filter(({ name }) => !exclude.has(name));
        const available = new Map<string, Provider>(rest.map((provider) => [provider.name, provider]));
        const order = all.map(({ name }) => name);
        return selectProvider(order, available, language, wanted);
      },
      retain: async (request, reason) => {
        if (!this.canRetain) return undefined;
        this.retained.push({ ...request, reason });
        return 'key';
      },
      images: this.images,
      clock: {
        wall: () => this.clock.now,
        ring: () => this.clock.now,
        monotonic: () => this.clock.now,
        sleep: async (milliseconds) => {
          if (options.sleep !== undefined) await options.sleep(milliseconds);
          else if (this.sleeps) await new Promise<void>((resolve) => this.sleepers.push(resolve));
        },
      },
      translations: options.translations ?? null,
      streams: options.streams,
      checkSample: options.checkSample ?? null,
      voices:
        options.tellVoices === undefined
          ? null
          : new VoiceMemory({
              tell: options.tellVoices,
              revise:
                options.reviseVoices ??
                (async (history) => revisePacked(history, speakerModel('ge2e').revision)),
              rule: speakerModel('ge2e').voices,
              history: options.voiceHistory ?? 1200,
              metrics: this.#metrics.row(0),
              recognition: options.recognition ?? null,
            }),
      metrics: this.#metrics.row(0),
      log:
        options.log === undefined
          ? createLogger('test', 'silent')
          : createLogger(
              'test',
              { logLevel: 'debug', logBuffer: 1024, logRepeats: 0 },
              { write: options.log },
            ),
    });
  }

  get provider(): FakeProvider {
    return this.providers[0]!;
  }

  metric(name: MetricName): number {
    return this.#metrics.total(name);
  }

  distribution(name: HistogramName): Distribution {
    return this.#metrics.distribution(name);
  }

  /** Opens a stream and waits for the start-up sequence. */
  async open(slot: number, wishes: Partial<OpenRequest> = {}): Promise<void> {
    const request = openRequest({
      stream: `stream-${slot}-${this.#generations[slot]}`,
      generation: this.#generations[slot]!,
      acceptedAt: this.clock.now,
      ...wishes,
    });
    this.record(RecordKind.open, slot, request);
    await this.settle();
  }

  record(kind: number, slot: number, body?: object | Uint8Array): void {
    const payload =
      body instanceof Uint8Array ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body));
    if (!this.#producer.write(kind, slot, payload, this.clock.now + this.ahead))
      throw new Error('ring is full');
  }

  /** Sends frames in one burst while the clock is stopped. */
  frames(slot: number, frames: readonly number[]): void {
    for (const frame of frames) this.record(RecordKind.audio, slot, Uint8Array.of(frame, 0, 0));
  }

  /** Sends frames in real time by the harness's clock. */
  stream(slot: number, frames: readonly number[]): void {
    for (const frame of frames) {
      this.frames(slot, [frame]);
      this.clock.now += 20;
    }
    this.#passes();
  }

  /** Sends one utterance in real time: half a second of speech, and the silence that ends it. */
  say(slot: number, voice: number): void {
    this.stream(slot, [...speech(voice), ...silence()]);
  }

  /** Sends a text. @param message an object is encoded as JSON, a string is sent unchanged. */
  text(slot: number, message: object | string): void {
    this.record(RecordKind.text, slot, typeof message === 'string' ? Buffer.from(message) : message);
  }

  close(slot: number, code = 1001, stops?: true): void {
    this.record(RecordKind.close, slot, { code, stops });
  }

  /** Reads the ring, and runs all steps that need no clock. */
  async settle(): Promise<void> {
    for (let round = 0; round < 12; round++) {
      this.#passes();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Advances the clock by some ms. Then runs one complete tick. */
  async tick(milliseconds = 600): Promise<void> {
    await this.settle();
    this.clock.now += milliseconds;
    await this.shard.tick();
    await this.settle();
  }

  /** Returns the JSON objects that a slot received, for any of its streams. */
  events(slot: number, type?: string): ServerEvent[] {
    return this.#texts(slot)
      .map((text) => JSON.parse(text) as ServerEvent | LiveSegment[])
      .filter(
        (value): value is ServerEvent => !Array.isArray(value) && (type === undefined || value.type === type),
      );
  }

  /** Returns the segments that a slot received, as a client stores them: the latest version of each id. */
  segments(slot: number): LiveSegment[] {
    const kept = new Map<string, LiveSegment>();
    for (const text of this.#texts(slot)) {
      const value = JSON.parse(text) as ServerEvent | LiveSegment[];
      if (Array.isArray(value)) for (const segment of value) kept.set(segment.id, segment);
      else if (value.type === 'segments_deleted')
        for (const id of value.segment_ids as string[]) kept.delete(id);
    }
    return [...kept.values()];
  }

  /** Returns all messages to a slot in short form: event type, `status`, or `segments`; `close 1011`; `released`. */
  story(slot: number): string[] {
    return this.sent.flatMap((message) => {
      if (message.kind === 'drained') return ['drained'];
      if (message.slot !== slot) return [];
      if (message.kind === 'close') return [`close ${message.code} ${message.reason}`];
      if (message.kind === 'released') return ['released'];
      const value = JSON.parse(message.text) as ServerEvent | unknown[];
      if (Array.isArray(value)) return ['segments'];
      return [value.type === 'service_status' ? String(value.status) : value.type];
    });
  }

  /** Returns the stored segments of a slot's conversation as clients get them: without the name of the model. */
  storedSegments(slot: number): Omit<LiveSegment, 'stt_model'>[] {
    return this.journal
      .live(this.conversationId(slot))
      .map(({ segment: { stt_model: _model, ...sent } }) => sent);
  }

  conversationId(slot: number): string {
    return String(this.events(slot, 'conversation_session').at(-1)?.conversation_id);
  }

  #passes(): void {
    while (this.shard.pass() > 0);
  }

  #texts(slot: number): string[] {
    return this.sent.flatMap((message) =>
      message.kind === 'send' && message.slot === slot ? [message.text] : [],
    );
  }
}
