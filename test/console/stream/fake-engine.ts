import { frameBytes, frameMs, frameSeconds } from '../../../src/console/stream/recorded-audio.js';
import type { StreamSocket, StreamTime } from '../../../src/console/stream/socket.js';

/** A clock that only `advance` moves. */
export class FakeTime implements StreamTime {
  #now = 0;
  #calls: { at: number; action: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, action: () => void): () => void {
    const call = { at: this.#now + milliseconds, action };
    this.#calls.push(call);
    return () => {
      this.#calls = this.#calls.filter((other) => other !== call);
    };
  }

  /** Moves the clock and runs the calls that became due. Resolves after the handlers of promises that they settled. */
  async advance(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    for (;;) {
      const due = this.#calls.find(({ at }) => at <= this.#now);
      if (due === undefined) break;
      this.#calls = this.#calls.filter((call) => call !== due);
      due.action();
    }
    for (let turn = 0; turn < 4; turn++) await Promise.resolve();
  }
}

interface Utterance {
  /** Numbers of the utterance's frames. */
  readonly frames: number[];
  /** Position of the utterance's first frame on the clock of the recording, in frames. */
  readonly first: number;
  /** Start of the utterance, in seconds of the connection's audio. */
  readonly from: number;
  to: number;
  /** Time at which the utterance's words are stored; undefined while the utterance continues. */
  dueAt: number | undefined;
}

/** Returns a frame with a number. Frames of speech have a mark. */
export const numberedFrame = (number: number, isSpeech: boolean): Int16Array => {
  const samples = new Int16Array(frameBytes / 2);
  samples[0] = number & 0x7fff;
  samples[1] = number >> 15;
  samples[2] = isSpeech ? 1 : 0;
  return samples;
};

/** A socket of the fake engine. */
export class FakeSocket implements StreamSocket {
  binaryType = '';
  bufferedAmount = 0;
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  readonly sent: (string | Uint8Array)[] = [];
  isOpen = false;
  closeCode: number | undefined;
  heard = 0;
  open: Utterance | undefined;
  readonly waiting: Utterance[] = [];
  silence = 0;
  /** Number of frames of the recording before the first frame of this connection. */
  base = 0;
  toldAt = 0;
  told = 0;
  /** Seconds from the start of the conversation to the first frame. */
  startsAt: number | undefined;
  heardAt = 0;
  readonly #engine: FakeEngine;

  constructor(
    readonly address: string,
    engine: FakeEngine,
  ) {
    this.#engine = engine;
  }

  /** A parameter of the address. */
  parameter(name: string): string {
    return new URL(this.address).searchParams.get(name) ?? '';
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    this.sent.push(data);
    if (this.isOpen) this.#engine.received(this, data);
  }

  close(code = 1005): void {
    this.closeCode = code;
    if (this.isOpen) this.#engine.clientCloses(this, code);
  }

  message(value: unknown): void {
    this.onmessage?.({ data: typeof value === 'string' ? value : JSON.stringify(value) } as never);
  }

  fail(code = 1006, reason = ''): void {
    this.isOpen = false;
    this.onclose?.({ code, reason } as never);
  }
}

/** Maximum number of seconds between two utterances of one segment. */
const segmentGap = 2;
/** Ms without audio that end an utterance. */
const stalled = 3000;
/** Seconds of silence that end an utterance. */
const utteranceEnd = 0.8;
/** Number of newest frames that are not confirmed yet, because the next utterance may begin in them. */
const preRoll = 15;
/** Confirmed positions are multiples of this number of frames. */
const positionStep = 6;
/** Ms between two confirmations. */
const confirmEvery = 1000;

/**
 * An engine in memory. It stores the words of an utterance `delay` s after its end, in real time, and tells the client.
 * It confirms positions. When a connection is lost, it forgets utterances whose words are not stored yet. Utterances
 * with a short pause between them are one segment, also across connections.
 */
export class FakeEngine {
  /** How often the words of each speech frame were stored, by the number of the frame. */
  readonly stored = new Map<number, number>();
  /** Confirmed position on each clock, in frames. */
  readonly #confirmed = new Map<string, number>();
  /** Whether the engine forgets stored words and received data, so that its memory does not grow in long tests. */
  forgets = false;
  /** Whether the engine supports positions of the recording. */
  positions = true;
  /** Whether the engine confirms stored audio. */
  confirms = true;
  readonly sockets: FakeSocket[] = [];
  /** Whether a new connection is accepted. */
  reachable = true;
  /** Whether it sends a `ping` every 10 s. */
  pings = true;
  #pingedAt = 0;
  stops = 0;
  tokens: string[] = [];
  #count = 0;
  #last = { id: '', start: 0, end: Number.NEGATIVE_INFINITY };

  constructor(
    private readonly time: FakeTime,
    private readonly delay: number,
  ) {}

  get socket(): FakeSocket | undefined {
    return this.sockets.findLast(({ isOpen }) => isOpen);
  }

  readonly openSocket = (address: string): FakeSocket => {
    const socket = new FakeSocket(address, this);
    this.sockets.push(socket);
    this.time.after(5, () => {
      if (!this.reachable) return socket.fail();
      socket.isOpen = true;
      socket.onopen?.(undefined as never);
    });
    return socket;
  };

  received(socket: FakeSocket, data: string | Uint8Array): void {
    if (this.forgets) socket.sent.length = 0;
    if (typeof data !== 'string') {
      this.#audio(socket, data);
      return;
    }
    const message = JSON.parse(data) as { type: string; token?: string };
    if (message.type === 'stop') this.stops++;
    if (message.type !== 'auth') return;
    this.tokens.push(message.token!);
    socket.message({ type: 'auth_response', success: true });
    if (socket.base > 0 || socket.heard > 0) return;
    const stored = this.#confirmed.get(socket.parameter('stream_clock')) ?? 0;
    const stated = Number(socket.parameter('clock_at')) / frameMs;
    socket.base = Math.max(stated, Math.floor(stored / positionStep) * positionStep);
    socket.told = socket.base;
    socket.message({
      type: 'conversation_session',
      conversation_id: 'talk',
      status: 'in_progress',
      ...(this.positions && { resume_at_ms: socket.base * frameMs }),
    });
  }

  /** Stores the words that are due, and sends the `ping` that is due. */
  tick(): void {
    const pings = this.pings && this.time.now() - this.#pingedAt >= 10_000;
    if (pings) this.#pingedAt = this.time.now();
    for (const socket of this.sockets.filter(({ isOpen }) => isOpen)) {
      if (pings) socket.message('ping');
      this.#work(socket);
    }
  }

  #work(socket: FakeSocket): void {
    if (this.time.now() - socket.heardAt >= stalled) this.#endUtterance(socket);
    while (socket.waiting[0] !== undefined && socket.waiting[0].dueAt! <= this.time.now())
      this.#store(socket);
    this.#confirm(socket, this.time.now() - socket.toldAt >= confirmEvery);
  }

  clientCloses(socket: FakeSocket, code: number): void {
    if (code === 1000) {
      this.#endUtterance(socket);
      while (socket.waiting.length > 0) this.#store(socket);
      this.#confirm(socket, true);
    }
    socket.fail(code);
  }

  #confirm(socket: FakeSocket, tell: boolean): void {
    const clock = socket.parameter('stream_clock');
    const awaited = socket.waiting[0] ?? socket.open;
    const bound = awaited?.first ?? socket.base + socket.heard - preRoll;
    const confirmed = Math.max(this.#confirmed.get(clock) ?? 0, bound);
    this.#confirmed.set(clock, confirmed);
    const whole = Math.floor(confirmed / positionStep) * positionStep;
    if (!tell || whole <= socket.told || !this.positions || !this.confirms) return;
    socket.toldAt = this.time.now();
    socket.told = whole;
    socket.message({ type: 'audio_confirmed', confirmed_ms: whole * frameMs });
  }

  #audio(socket: FakeSocket, bytes: Uint8Array): void {
    if (bytes.length < frameBytes) return;
    socket.heardAt = this.time.now();
    socket.startsAt ??= socket.heardAt / 1000;
    const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
    const number = samples[0]! + samples[1]! * 32_768;
    const first = socket.base + socket.heard;
    const at = socket.heard++ * frameSeconds;
    const isStored = first < (this.#confirmed.get(socket.parameter('stream_clock')) ?? 0);
    if (samples[2] === 1 && !isStored) {
      socket.silence = 0;
      socket.open ??= { frames: [], first, from: at, to: at, dueAt: undefined };
      socket.open.frames.push(number);
      socket.open.to = at + frameSeconds;
      if (socket.open.to - socket.open.from >= 15) this.#endUtterance(socket);
    } else {
      socket.silence += frameSeconds;
      if (socket.silence >= utteranceEnd) this.#endUtterance(socket);
    }
  }

  #endUtterance(socket: FakeSocket): void {
    if (socket.open === undefined) return;
    // The simulated transcriber works through a backlog at 1.6 times real time.
    const { from, to } = socket.open;
    const before = socket.waiting.at(-1)?.dueAt ?? 0;
    socket.open.dueAt = Math.max(this.time.now() + this.delay * 1000, before + (to - from) * 625);
    socket.waiting.push(socket.open);
    socket.open = undefined;
  }

  #store(socket: FakeSocket): void {
    const { frames, from, to } = socket.waiting.shift()!;
    if (!this.forgets) for (const frame of frames) this.stored.set(frame, (this.stored.get(frame) ?? 0) + 1);
    const [start, end] = [from + socket.startsAt!, to + socket.startsAt!];
    this.#last =
      start - this.#last.end < segmentGap
        ? { ...this.#last, end }
        : { id: `segment-${this.#count++}`, start, end };
    const rest = { text: 'words', speaker_id: 0, is_user: false, person_id: null };
    socket.message([{ ...this.#last, ...rest }]);
  }
}
