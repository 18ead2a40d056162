import { buildGenerator, generatorFlags, startGeneratorProgram } from './generator-process.js';

/** One kind of wearable of a fleet. */
export interface StreamClass {
  readonly name: string;
  /** Weight among all classes, on any positive scale. */
  readonly weight: number;
  /**
   * Path of the packet file. In the file, each packet follows its length (32 bit, little-endian). Streams begin at random packets and
   * loop.
   */
  readonly packets: string;
  /** Ms between two packets of a stream. */
  readonly frameMs: number;
  /** Query of the stream's URL without `uid`, which the generator adds: `codec=opus&sample_rate=16000&...`. */
  readonly query: string;
}

/** Simulated effects of the network on packets. Each effect is off (0) by default. */
export interface Network {
  /** Standard deviation of a packet's delay, ms. Packets keep their order. */
  readonly jitterMs?: number;
  /** Share of time spent in stalls, 0 to 1. After a stall all due packets are sent at once. */
  readonly stallShare?: number;
  /** Mean length of a stall, ms. */
  readonly stallMs?: number;
  /** Mean time between disconnects of one stream, in s. Every second disconnect has no close frame. */
  readonly disconnectEveryS?: number;
  /** Ms after which a disconnected stream reconnects. */
  readonly reconnectMs?: number;
}

export interface GeneratorOptions {
  /** `ws://host:port` */
  readonly url: string;
  readonly classes: readonly StreamClass[];
  /** Number of streams opened per second while their number rises. */
  readonly rampPerS: number;
  readonly seed: number;
  readonly network?: Network;
  /** Ms between two keep-alives (one byte each) of a stream. 0: none are sent. */
  readonly keepAliveMs?: number;
  /** Share of streams that misbehave: malformed frames, text that is not JSON, long gaps between frames, slow reading. */
  readonly oddShare?: number;
  /** HTTP headers of every upgrade request, for servers that require a token. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Prefix of the `uid` of each stream. */
  readonly uidPrefix?: string;
  /** Maximum ms that a packet waits while its socket is full. Older packets are dropped and counted as `frames_lost`. Default 2,000. */
  readonly queueMs?: number;
  /** The CPU core of the generator; any core when absent. */
  readonly cpu?: number;
  /** Niceness of the generator. A negative value has no effect without the system's permission. */
  readonly nice?: number;
}

/** Values of a histogram in us: [lower bound, count] of every bucket that is not empty. Exact within 0.1 %. */
export type Counted = readonly (readonly [number, number])[];

/** Counts of events since the last snapshot, and gauges at the moment of this snapshot. */
export interface GeneratorSnapshot {
  /** Ms since the generator started. */
  readonly atMs: number;
  readonly wanted: number;
  readonly open: number;
  readonly framesSent: number;
  readonly bytesSent: number;
  /** Length of the audio that was sent, in ms. */
  readonly audioMs: number;
  /** Number of frames that were late because their socket was full. They are sent later, in order. */
  readonly framesBlocked: number;
  /** Number of keep-alives sent, one byte each. */
  readonly keepAlivesSent: number;
  /** Number of messages that misbehaving streams sent: malformed frames and text. */
  readonly oddSent: number;
  /** Number of accepted upgrades, including reconnects. */
  readonly connects: number;
  /** Number of accepted upgrades that were reconnects. */
  readonly reconnects: number;
  readonly textsReceived: number;
  readonly segmentsReceived: number;
  /** Errors by kind: `http_503`, `close_1011`, `reset`, `connect_refused`, `frames_lost`, ... */
  readonly errors: Readonly<Record<string, number>>;
  /** Histogram of the time from a frame's due time until the kernel accepted the frame. */
  readonly lateness: Counted;
  /** Histogram of the time from the due time of a segment's last sample until the segment arrived. */
  readonly segmentLag: Counted;
  /** Histogram of the time from the start of a connect until the upgrade was accepted. */
  readonly connectTime: Counted;
  /** CPU time of the generator, ms. */
  readonly cpuMs: number;
}

/** A running load generator. Its process also ends when this process ends. */
export interface Generator {
  readonly pid: number;
  /** Maximum number of streams, limited by this machine's file descriptors. */
  readonly limit: number;
  /**
   * Sets the wanted number of streams. Missing streams are opened at `rampPerS`; surplus streams are closed, the newest
   * first.
   * @throws RangeError beyond `limit`.
   */
  setStreams(count: number): void;
  /**
   * Returns the events since the last snapshot.
   * @throws Error when the generator has ended.
   */
  snapshot(): Promise<GeneratorSnapshot>;
  /**
   * Closes every stream, within about a second. Resolves with the last snapshot when the process has ended.
   * @throws Error when the process ended in another way.
   */
  stop(): Promise<GeneratorSnapshot>;
}

/**
 * Starts a generator without streams in its own process. Builds its program (`bench/native/fleet`) if necessary.
 * @throws Error that names the missing tool when the build is impossible, or the generator's reason when it refuses
 * its options.
 */
export const startGenerator = async (options: GeneratorOptions): Promise<Generator> => {
  const [program] = await buildGenerator();
  return startGeneratorProgram(program!, generatorFlags(options));
};
