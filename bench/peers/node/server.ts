/**
 * A well-built plain Node server that does the work of the engine up to the detector's decision.
 *
 * node server.js single|batched|workers
 *
 * Prints one line, `{"port":...,"versions":{...}}`. Ends with SIGTERM or when its standard input ends.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { WebSocketServer } from 'ws';
import { now } from './clock.js';
import { Counters } from './counters.js';
import { decoderFor } from './decoders.js';
import { Line } from './line.js';
import { WorkerPool } from './worker-pool.js';

const require = createRequire(import.meta.url);

const versionOf = (name: string): string => {
  // Some packages do not export their package.json, so it is searched in the folders above their entry file.
  for (let at = new URL(`file://${require.resolve(name)}`); at.pathname !== '/'; at = new URL('..', at)) {
    try {
      const found = JSON.parse(readFileSync(new URL('package.json', at), 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (found.name === name) return found.version ?? '';
    } catch {
      // This folder has no package.json, so the search continues above it.
    }
  }
  return '';
};

/** Returns which build of a package is in use: `native` for its prebuilt addon, otherwise the name of the fallback. */
const build = (addon: string, otherwise: string): string => {
  try {
    require(addon);
    return 'native';
  } catch {
    return otherwise;
  }
};

interface FrameSink {
  push(message: Uint8Array, arrivedAt: number): void;
  close(): void;
}

interface Backend {
  readonly counters: readonly Counters[];
  stream(codec: string, sampleRate: number): FrameSink;
  close(): Promise<void>;
}

const openBackend = async (mode: string | undefined): Promise<Backend> => {
  if (mode === 'workers') return WorkerPool.open(Math.max(1, availableParallelism() - 1));
  if (mode !== 'single' && mode !== 'batched') throw new Error('usage: server.js single|batched|workers');
  const counters = new Counters();
  const line = await Line.open(counters, mode === 'batched');
  return {
    counters: [counters],
    stream: (codec, sampleRate) => line.stream(codec, sampleRate),
    close: async () => undefined,
  };
};

const backend = await openBackend(process.argv[2]);
const server = createServer((request, response) => {
  if (request.url !== '/metrics') {
    response.writeHead(404).end();
    return;
  }
  response
    .writeHead(200, { 'content-type': 'text/plain; version=0.0.4' })
    .end(Counters.page(backend.counters, sockets.clients.size));
});
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 1_310_720 });

server.on('upgrade', (request, socket, head) => {
  const url = new URL(request.url ?? '/', 'ws://server');
  const codec = url.searchParams.get('codec') ?? 'opus';
  const sampleRate = Number(url.searchParams.get('sample_rate') ?? 16_000);
  const refusal =
    url.pathname !== '/v4/listen'
      ? '404 Not Found'
      : url.searchParams.has('uid')
        ? undefined
        : '403 Forbidden';
  if (refusal !== undefined) {
    socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    return;
  }
  sockets.handleUpgrade(request, socket, head, (client) => {
    if (decoderFor(codec, sampleRate) === undefined) {
      client.close(1003, 'codec or rate');
      return;
    }
    const stream = backend.stream(codec, sampleRate);
    client.on('message', (message: Buffer, isBinary) => {
      // Messages of at most two bytes are keep-alives.
      if (isBinary && message.length > 2) stream.push(message, now());
    });
    client.on('error', () => client.terminate());
    client.once('close', () => stream.close());
  });
});

let stopping = false;
const stop = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  server.close();
  for (const client of sockets.clients) client.terminate();
  await backend.close();
  process.exit(0);
};
process.on('SIGTERM', stop).on('SIGINT', stop);
// Standard input is a pipe from the parent process. When the parent ends, the pipe closes and this server ends, too.
process.stdin.resume().once('end', stop);

server.listen(0, '127.0.0.1', 4096, () => {
  const versions = {
    node: process.versions.node,
    ws: versionOf('ws'),
    bufferutil: build('bufferutil', 'none') === 'native' ? versionOf('bufferutil') : 'none',
    '@evan/opus': `${versionOf('@evan/opus')} ${build('@evan/opus/node/index.js', 'wasm')}`,
    'onnxruntime-node': versionOf('onnxruntime-node'),
    threads: String(backend.counters.length),
  };
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port, versions })}\n`);
});
