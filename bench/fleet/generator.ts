import { buildGenerator, generatorFlags, startGeneratorProgram } from './generator-process.js';

/** One kind of wearable of a fleet. */
export interface StreamClass {
  readonly name: string;
  /** Share among all classes; any positive scale. */
  readonly weight: number;
  /** Packet file: every packet behind its length (32 bit, little-endian). Streams begin at random packets and start over. */
  readonly packets: string;
  /** Ms between two packets of a stream. */
  readonly frameMs: number;
  /** Query of the stream's URL without `uid`, which the generator adds: `codec=opus&sample_rate=16000&...`. */
  readonly query: string;
}

/** What happens to packets on their way. Everything off (0) unless given. */
export interface Network {
  /** Standard deviation of a packet's delay, ms; order is kept. */
  readonly jitterMs?: number;
  /** Share of time spent in stalls, after which everything that is due goes out at once, 0 to 1. */
  readonly stallShare?: number;
  /** Mean length of a stall, ms. */
  readonly stallMs?: number;
  /** Mean time between disconnects of one stream, s; half of them without a close frame. */
  readonly disconnectEveryS?: number;
  /** Ms after which a disconnected stream connects again. */
  readonly reconnectMs?: number;
}

export interface GeneratorOptions {
  /** `ws://host:port` */
  readonly url: string;
  readonly classes: readonly StreamClass[];
  /** Streams opened a second when the number rises. */
  readonly rampPerS: number;
  readonly seed: number;
  readonly network?: Network;
  /** Ms between two keep-alives of a stream, each of one byte. 0: none are sent. */
  readonly keepAliveMs?: number;
  /** Share of streams that misbehave: malformed frames, bytes of text that are no JSON, frames far apart, slow readers. */
  readonly oddShare?: number;
  /** Header lines sent with every upgrade, for servers that ask for a token. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Prefix of the `uid` of each stream. */
  readonly uidPrefix?: string;
  /** Ms of packets that wait while a socket is full. Older packets are dropped and counted as `frames_lost`. 2,000 when absent. */
  readonly queueMs?: number;
  /** The core the generator runs on; any unless given. */
  readonly cpu?: number;
  /** Its priority, as `nice` counts; negative ones only where the system lets us, otherwise nothing changes. */
  readonly nice?: number;
}

/** Counted values of a histogram, in us: [lower bound, count] of every bucket that is not empty; within 0.1 %. */
export type Counted = readonly (readonly [number, number])[];

/** What happened since the last snapshot; gauges as they are now. */
export interface GeneratorSnapshot {
  /** Ms since the generator started. */
  readonly atMs: number;
  readonly wanted: number;
  readonly open: number;
  readonly framesSent: number;
  readonly bytesSent: number;
  /** Length of the audio that was sent, in ms. */
  readonly audioMs: number;
  /** Frames that a full socket kept from leaving when they were due; they leave later, in order. */
  readonly framesBlocked: number;
  /** Single bytes that keep a stream alive. */
  readonly keepAlivesSent: number;
  /** Messages of misbehaving streams that are no packets: malformed frames and text. */
  readonly oddSent: number;
  /** Accepted upgrades, and those among them of streams that had been open before. */
  readonly connects: number;
  readonly reconnects: number;
  readonly textsReceived: number;
  readonly segmentsReceived: number;
  /** Errors by kind: `http_503`, `close_1011`, `reset`, `connect_refused`, `frames_lost`, ... */
  readonly errors: Readonly<Record<string, number>>;
  /** From when a frame was due to when the kernel took it. */
  readonly lateness: Counted;
  /** From when the last sample of a segment was due to when the segment came. */
  readonly segmentLag: Counted;
  /** From the begin of a connect to the accepted upgrade. */
  readonly connectTime: Counted;
  /** CPU time of the generator, ms. */
  readonly cpuMs: number;
}

/** A generator that runs. It ends with this process too. */
export interface Generator {
  readonly pid: number;
  /** Streams that this machine has file descriptors for. */
  readonly limit: number;
  /**
   * How many streams there are to be: more of them open at `rampPerS`, the newest are closed where they are too many.
   * @throws RangeError beyond `limit`.
   */
  setStreams(count: number): void;
  /** What happened since the last snapshot. @throws Error when the generator has ended. */
  snapshot(): Promise<GeneratorSnapshot>;
  /**
   * Closes every stream, within about a second. Resolves with the last snapshot when the process is gone.
   * @throws Error when it ended in another way.
   */
  stop(): Promise<GeneratorSnapshot>;
}

/**
 * Starts a generator without streams, a process of its own; its program (`bench/native/fleet`) is built where it is not
 * yet there.
 * @throws Error when it cannot be built, saying what is missing, or when it refuses its options, with its reason.
 */
export const startGenerator = async (options: GeneratorOptions): Promise<Generator> => {
  const [program] = await buildGenerator();
  return startGeneratorProgram(program!, generatorFlags(options));
};
