import { buildGenerator, generatorFlags, startGeneratorProgram } from './generator-process.js';

/** One kind of wearable of a fleet. */
export interface StreamClass {
  readonly name: string;
  /** Weight among all classes, on any positive scale. */
  readonly weight: number;
  /**
   * Packet file: each packet follows its length (32 bit, little-endian). Streams begin at random packets and loop.
   */
  readonly packets: string;
  /** Ms between two packets of a stream. */
  readonly frameMs: number;
  /** Query of the stream's URL without `uid`, which the generator adds: `codec=opus&sample_rate=16000&...`. */
  readonly query: string;
}

/** What happens to packets on their way. Each effect is off (0) by default. */
export interface Network {
  /** Standard deviation of a packet's delay, ms. Packets keep their order. */
  readonly jitterMs?: number;
  /** Share of time spent in stalls, 0 to 1. After a stall all due packets leave at once. */
  readonly stallShare?: number;
  /** Mean length of a stall, ms. */
  readonly stallMs?: number;
  /** Mean time between disconnects of one stream, s. Half of them lack a close frame. */
  readonly disconnectEveryS?: number;
  /** Ms after which a disconnected stream reconnects. */
  readonly reconnectMs?: number;
}

export interface GeneratorOptions {
  /** `ws://host:port` */
  readonly url: string;
  readonly classes: readonly StreamClass[];
  /** Streams opened per second while their number rises. */
  readonly rampPerS: number;
  readonly seed: number;
  readonly network?: Network;
  /** Ms between two keep-alives (one byte each) of a stream. 0: none are sent. */
  readonly keepAliveMs?: number;
  /** Share of streams that misbehave: malformed frames, text that is not JSON, frames far apart, slow readers. */
  readonly oddShare?: number;
  /** Header lines of every upgrade, for servers that require a token. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Prefix of the `uid` of each stream. */
  readonly uidPrefix?: string;
  /**
   * Ms of packets that wait while a socket is full. Older packets are dropped and counted as `frames_lost`. Default
   * 2,000.
   */
  readonly queueMs?: number;
  /** The CPU core of the generator; any core when absent. */
  readonly cpu?: number;
  /** Its niceness. A negative value has no effect without the system's permission. */
  readonly nice?: number;
}

/** Values of a histogram, in us: [lower bound, count] of every bucket that is not empty; within 0.1 %. */
export type Counted = readonly (readonly [number, number])[];

/** Events since the last snapshot, and gauges at the moment of this one. */
export interface GeneratorSnapshot {
  /** Ms since the generator started. */
  readonly atMs: number;
  readonly wanted: number;
  readonly open: number;
  readonly framesSent: number;
  readonly bytesSent: number;
  /** Length of the audio that was sent, in ms. */
  readonly audioMs: number;
  /** Frames that were late because their socket was full. They leave later, in order. */
  readonly framesBlocked: number;
  /** Keep-alives sent, one byte each. */
  readonly keepAlivesSent: number;
  /** Messages of misbehaving streams: malformed frames and text. */
  readonly oddSent: number;
  /** Accepted upgrades, and how many of them were reconnects. */
  readonly connects: number;
  readonly reconnects: number;
  readonly textsReceived: number;
  readonly segmentsReceived: number;
  /** Errors by kind: `http_503`, `close_1011`, `reset`, `connect_refused`, `frames_lost`, ... */
  readonly errors: Readonly<Record<string, number>>;
  /** From a frame's due time until the kernel accepted it. */
  readonly lateness: Counted;
  /** From the due time of a segment's last sample until the segment arrived. */
  readonly segmentLag: Counted;
  /** From the start of a connect to the accepted upgrade. */
  readonly connectTime: Counted;
  /** CPU time of the generator, ms. */
  readonly cpuMs: number;
}

/** A running generator. It ends with this process too. */
export interface Generator {
  readonly pid: number;
  /** Number of streams that this machine has file descriptors for. */
  readonly limit: number;
  /**
   * Sets the wanted number of streams. Missing streams open at `rampPerS`; surplus streams close, the newest first.
   * @throws RangeError beyond `limit`.
   */
  setStreams(count: number): void;
  /** Events since the last snapshot. @throws Error when the generator has ended. */
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
