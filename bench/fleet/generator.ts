import { buildGenerator, generatorFlags, startGeneratorProgram } from './generator-process.js';

/** One kind of wearable of a fleet. */
export interface StreamClass {
  readonly name: string;
  /** Share of this class among all streams, relative to the weights of the other classes. */
  readonly weight: number;
  /**
   * Path of the packet file. In the file, the length of each packet (32 bit, little-endian) precedes the packet. A
   * stream begins with a random packet and repeats the file.
   */
  readonly packets: string;
  /** Ms between two packets of a stream. */
  readonly frameMs: number;
  /** Query of the stream's address: `codec=opus&sample_rate=16000&...`. The generator adds `uid`. */
  readonly query: string;
}

/** Simulated effects of the network on packets. By default each effect is off (0). */
export interface Network {
  /** Standard deviation of the delay of a packet, in ms. Packets keep their order. */
  readonly jitterMs?: number;
  /**
   * Share of the time in which a stream sends nothing, 0 to 1. After such a stall, all due packets are sent at once.
   */
  readonly stallShare?: number;
  /** Mean length of a stall, ms. */
  readonly stallMs?: number;
  /** Mean seconds between two disconnects of a stream. Every second disconnect happens without a close frame. */
  readonly disconnectEveryS?: number;
  /** Ms after which a disconnected stream reconnects. */
  readonly reconnectMs?: number;
}

export interface GeneratorOptions {
  /** `ws://host:port` */
  readonly url: string;
  readonly classes: readonly StreamClass[];
  /** Number of streams that are opened per second while the load grows. */
  readonly rampPerS: number;
  readonly seed: number;
  readonly network?: Network;
  /** Ms between two keep-alives of a stream, one byte each. 0: none are sent. */
  readonly keepAliveMs?: number;
  /**
   * Share of streams that misbehave. They send malformed frames and text that is not JSON, pause for long, or read
   * slowly.
   */
  readonly oddShare?: number;
  /** HTTP headers of every upgrade request, for servers that require a token. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Prefix of the `uid` of each stream. */
  readonly uidPrefix?: string;
  /**
   * Maximum ms that a packet waits while its socket is full. Packets that wait longer are dropped and counted as
   * `frames_lost`. Default 2,000.
   */
  readonly queueMs?: number;
  /** Number of the CPU core for the generator; absent: any core. */
  readonly cpu?: number;
  /** Niceness of the generator. A negative value needs the system's permission, and otherwise has no effect. */
  readonly nice?: number;
}

/** A histogram of times in us: [lower bound, count] of every bucket that is not empty. Times are exact within 0.1 %. */
export type Counted = readonly (readonly [number, number])[];

/** Numbers of events since the last snapshot, and states at the moment of this snapshot. */
export interface GeneratorSnapshot {
  /** Ms since the generator started. */
  readonly atMs: number;
  readonly wanted: number;
  readonly open: number;
  readonly framesSent: number;
  readonly bytesSent: number;
  /** Length of the audio that was sent, in ms. */
  readonly audioMs: number;
  /** Number of frames that had to wait because their socket was full. They are sent later, in order. */
  readonly framesBlocked: number;
  /** Number of keep-alives sent, one byte each. */
  readonly keepAlivesSent: number;
  /** Number of messages that misbehaving streams sent: malformed frames and text. */
  readonly oddSent: number;
  /** Number of accepted upgrades, including reconnects. */
  readonly connects: number;
  /** Number of accepted upgrades with which a stream reconnected. */
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

/** A running load generator in its own process. The process also ends when this process ends. */
export interface Generator {
  readonly pid: number;
  /** Maximum number of streams. The number of file descriptors of this machine limits it. */
  readonly limit: number;
  /**
   * Sets the wanted number of streams. Missing streams are opened at `rampPerS`. Surplus streams are closed, the newest
   * first.
   * @throws RangeError if `count` exceeds `limit`.
   */
  setStreams(count: number): void;
  /**
   * Returns what happened since the last snapshot.
   * @throws Error when the generator has ended.
   */
  snapshot(): Promise<GeneratorSnapshot>;
  /**
   * Closes every stream, within about a second. Resolves with the last snapshot when the process has ended.
   * @throws Error when the process ended in a different way.
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
