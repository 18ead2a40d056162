import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { productCommand } from '../checkout.js';
import { endChild } from '../fleet/child-process.js';
import { freePort } from '../fleet/targets/free-port.js';
import { fetchPage } from '../fleet/targets/server-page.js';
import type { Packets } from '../packets/packets.js';

export interface StartOptions {
  /** Arguments of `cochlea`: `up` or `engine`. */
  readonly words: readonly string[];
  readonly dataDir: string;
  /** URL of the database; empty: `up` starts its own database. */
  readonly databaseUrl: string;
  /** Packets of the first stream: Opus at 16 kHz, mono. */
  readonly packets: Packets;
}

export interface Started {
  /** Ms from the start of the process until its port accepts a connection. */
  readonly listeningMs: number;
  /**
   * Ms from the first accepted connection until a stream is accepted and the detector has decided about its first
   * window.
   */
  readonly firstFrameMs: number;
}

/** Ms between two checks of the port. */
const portEvery = 2;
/**
 * Ms between two requests for the metrics page. The pause limits the load, because each request costs the engine some
 * tenths of a ms.
 */
const pageEvery = 5;
const startTimeout = 60_000;
const stopTimeout = 60_000;
const query = 'uid=bench&language=en&sample_rate=16000&codec=opus_fs320&channels=1&source=bench';

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** Opens a stream. Resolves with undefined if the stream is refused, because a server may listen before it is ready. */
const tryStream = (port: number): Promise<WebSocket | undefined> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v4/listen?${query}`, { perMessageDeflate: false });
    socket.once('open', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });

/**
 * Sends packets at the pace of a wearable, one every `frameMs` ms.
 * @returns a function that stops sending.
 */
const sendPaced = (socket: WebSocket, { bytes, offsets, lengths, frameMs }: Packets): (() => void) => {
  let next = 0;
  const send = (): void => {
    const at = offsets[next % offsets.length]!;
    socket.send(bytes.subarray(at, at + lengths[next % lengths.length]!));
    next++;
  };
  send();
  const timer = setInterval(send, frameMs);
  return () => clearInterval(timer);
};

/**
 * Starts a product and waits until the detector has decided about the first window of the first stream. Then ends the product.
 * @throws Error with the last lines of output when the product ends early, or is not ready after a minute.
 */
export const startOnce = async ({ words, dataDir, databaseUrl, packets }: StartOptions): Promise<Started> => {
  const [port, metricsPort, sidecarPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const logFile = join(dataDir, 'start.log');
  const log = openSync(logFile, 'w');
  const began = performance.now();
  const child: ChildProcess = spawn(process.execPath, [productCommand.pathname, ...words], {
    env: {
      ...process.env,
      COCHLEA_DATA_DIR: dataDir,
      COCHLEA_STT: 'discard',
      DATABASE_URL: databaseUrl,
      AUTH_MODE: 'uid',
      HOST: '127.0.0.1',
      METRICS_HOST: '127.0.0.1',
      SIDECAR_HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      SIDECAR_PORT: String(sidecarPort),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', log, log],
    // The process group is separate, so that Ctrl-C reaches only the bench. The bench stops its children in order.
    detached: true,
  });
  closeSync(log);
  const until = async <Value>(
    look: () => Promise<Value | undefined | false>,
    every: number,
  ): Promise<Value> => {
    for (;;) {
      const value = await look();
      if (value) return value;
      if (child.exitCode !== null || child.signalCode !== null || performance.now() - began > startTimeout) {
        const said = readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join('\n');
        throw new Error(`"cochlea ${words.join(' ')}" did not take a stream\n${said}`);
      }
      await pause(every);
    }
  };
  let socket: WebSocket | undefined;
  let stopSending: (() => void) | undefined;
  try {
    await until(() => accepts(port), portEvery);
    const listeningMs = performance.now() - began;
    socket = await until(() => tryStream(port), portEvery);
    // Errors are ignored, because the server may close the socket. Only the decided window counts.
    socket.on('error', () => undefined);
    stopSending = sendPaced(socket, packets);
    const page = `http://127.0.0.1:${metricsPort}/metrics`;
    await until(async () => (await fetchPage(page)).vadWindows > 0, pageEvery);
    return { listeningMs, firstFrameMs: performance.now() - began };
  } finally {
    stopSending?.();
    socket?.terminate();
    await endChild(child, stopTimeout);
  }
};
