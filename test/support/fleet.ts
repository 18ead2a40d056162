/** Helpers for tests of the load generator: numbered packets, and a server that records what it receives. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Generator, GeneratorOptions, GeneratorSnapshot } from '../../bench/fleet/generator.js';
import {
  buildGenerator,
  generatorFlags,
  startGeneratorProgram,
} from '../../bench/fleet/generator-process.js';
import { framePackets } from '../../bench/packets/packets.js';

interface Teardown {
  teardown(action: () => unknown): unknown;
}

/** Returns packets that begin with their number (16 bits). Their lengths cover every encoding of a frame's length field. */
export const numberedPackets = (count: number, size = 5): Uint8Array[] =>
  Array.from({ length: count }, (_, number) => {
    const packet = Buffer.alloc(size + ((number * 37) % 200), number);
    packet.writeUInt16BE(number);
    return packet;
  });

/** Writes a packet file to a folder that is removed with the test. @returns its path. */
export const packetFile = async (t: Teardown, packets: readonly Uint8Array[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-fleet-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'numbered.packets');
  await writeFile(path, framePackets(packets));
  return path;
};

/** What the server recorded of one stream. */
export interface Seen {
  readonly uid: string;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly socket: WebSocket;
  /** Binary messages longer than 2 bytes. */
  readonly frames: Buffer[];
  /** Arrival times in ms of the messages in `frames`. */
  readonly arrivals: number[];
  readonly texts: string[];
  keepAlives: number;
  closeCode?: number;
  /** Resolves with the close code when the stream has closed. */
  readonly closed: Promise<number>;
}

export interface ListenServer {
  readonly url: string;
  readonly streams: Seen[];
  close(): Promise<void>;
}

/**
 * Starts a server of /v4/listen.
 * @param onStream receives every stream before any of the stream's bytes is read.
 * @param port port of the server. Default: a free port.
 */
export const listenServer = async (
  t: Teardown,
  onStream: (seen: Seen) => void = () => undefined,
  port = 0,
): Promise<ListenServer> => {
  const server = new WebSocketServer({ host: '127.0.0.1', port, path: '/v4/listen' });
  const streams: Seen[] = [];
  server.on('connection', (socket, request) => {
    const query = new URL(request.url!, 'ws://any').searchParams;
    const seen: Seen = {
      uid: query.get('uid') ?? '',
      query,
      request,
      socket,
      frames: [],
      arrivals: [],
      texts: [],
      keepAlives: 0,
      closed: new Promise((resolve) => socket.on('close', resolve)),
    };
    streams.push(seen);
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      seen.closeCode = code;
    });
    socket.on('message', (data: RawData, isBinary) => {
      const bytes = data as Buffer;
      if (!isBinary) seen.texts.push(bytes.toString());
      else if (bytes.length <= 2) seen.keepAlives++;
      else {
        seen.arrivals.push(performance.now());
        seen.frames.push(bytes);
      }
    });
    onStream(seen);
  });
  await new Promise((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      for (const { socket } of streams) socket.terminate();
      server.close(() => resolve());
    });
  t.teardown(close);
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, streams, close };
};

/** Returns generator options with one class of packets, one packet every 10 ms. */
export const fleetOf = (url: string, packets: string): GeneratorOptions => ({
  url,
  classes: [{ name: 'numbered', weight: 1, packets, frameMs: 10, query: 'codec=opus&sample_rate=16000' }],
  rampPerS: 1000,
  seed: 7,
});

/**
 * Starts a generator that ends with the test. @param flags further arguments. They follow the arguments that the
 * options give.
 */
export const generatorFor = async (
  t: Teardown,
  options: GeneratorOptions,
  { sanitized = false, flags = [] as readonly string[] } = {},
): Promise<Generator> => {
  const [program] = await buildGenerator(sanitized);
  const generator = await startGeneratorProgram(program!, [...generatorFlags(options), ...flags]);
  t.teardown(() => generator.stop().catch(() => undefined));
  return generator;
};

/** Takes snapshots until they fulfil the condition, and fails after a timeout. @returns all snapshots. */
export const snapshotsUntil = async (
  generator: Generator,
  holds: (all: readonly GeneratorSnapshot[]) => boolean,
  timeout = 20_000,
): Promise<GeneratorSnapshot[]> => {
  const all: GeneratorSnapshot[] = [];
  for (const end = performance.now() + timeout; performance.now() < end; await pause(20)) {
    all.push(await generator.snapshot());
    if (holds(all)) return all;
  }
  throw new Error(`not within ${timeout} ms: ${JSON.stringify({ ...all.at(-1), lateness: undefined })}`);
};

/** Stops a generator and waits until the server has read every stream to its end. @returns the last snapshot. */
export const stopAndDrain = async (
  generator: Generator,
  server: ListenServer,
): Promise<GeneratorSnapshot> => {
  const last = await generator.stop();
  await Promise.all(server.streams.map(({ closed }) => closed));
  return last;
};

type CountName = { [Name in keyof GeneratorSnapshot]: GeneratorSnapshot[Name] extends number ? Name : never };
type Count = CountName[keyof GeneratorSnapshot];

/** Returns the sum of a counter over several snapshots. */
export const totalOf = (all: readonly GeneratorSnapshot[], name: Count): number =>
  all.reduce((sum, snapshot) => sum + snapshot[name], 0);

/** Returns the number of errors of one kind over several snapshots. */
export const errorsOf = (all: readonly GeneratorSnapshot[], kind: string): number =>
  all.reduce((sum, { errors }) => sum + (errors[kind] ?? 0), 0);

/** Returns the number of values in a histogram. */
export const countOf = (counted: GeneratorSnapshot['lateness']): number =>
  counted.reduce((sum, [, count]) => sum + count, 0);

/** Returns the largest value of several histograms in ms; 0 if all are empty. */
export const largestOf = (parts: readonly GeneratorSnapshot['lateness'][]): number =>
  Math.max(0, ...parts.map((counted) => (counted.at(-1)?.[0] ?? 0) / 1000));

/**
 * Returns whether the frames are the packets of the file in order. The first frame may be any packet, and the first
 * packet follows the last one.
 */
export const followsFile = (frames: readonly Buffer[], packets: readonly Uint8Array[]): boolean => {
  const first = frames[0]?.readUInt16BE() ?? 0;
  return frames.every((frame, i) => frame.equals(packets[(first + i) % packets.length]!));
};
