/**
 * Connections of unknown clients never use all file descriptors of the process. When descriptors are free again, new
 * connections are accepted.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { descriptorsForClients } from '../../../src/front/listener/descriptors.js';
import { loadUws } from '../../../src/front/uws/build.js';
import { until } from '../../support/until.js';

const module = fileURLToPath(new URL('./small-listener.js', import.meta.url));
const descriptors = 1000;
const flood = 1200;

t.test('shares a small descriptor limit, reserves a fixed number of a large one', async (t) => {
  t.equal(descriptorsForClients(200), 150);
  t.equal(descriptorsForClients(65_536), 64_512);
  t.equal(descriptorsForClients(Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY);
});

/** A connection that sends repeated requests. */
class Asker {
  readonly #socket: Socket;
  #received = '';

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('error', () => undefined);
    this.#socket.setEncoding('latin1').on('data', (text) => {
      this.#received += text;
    });
  }

  /** The body of the answer, or null when the connection is closed. */
  async ask(): Promise<string | null> {
    this.#received = '';
    this.#socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(() => /\r\n\r\n\d+$/.test(this.#received) || this.#socket.destroyed, 'an answer, or the end');
    return /\r\n\r\n(\d+)$/.exec(this.#received)?.[1] ?? null;
  }

  end(): void {
    this.#socket.destroy();
  }
}

for (const kind of ['uws-untested', 'ws'] as const) {
  const skip =
    process.platform !== 'linux'
      ? 'the limit of descriptors is read from /proc'
      : kind === 'uws-untested' && typeof loadUws() === 'string'
        ? 'no build of uWebSockets.js loads here'
        : false;
  t.test(`${kind}: survives a flood of idle connections`, { skip }, async (t) => {
    const command = `ulimit -S -n ${descriptors} && ulimit -H -n ${descriptors} && exec "$0" "$@"`;
    const child = spawn('/bin/sh', ['-c', command, process.execPath, module, kind], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const sockets: Socket[] = [];
    t.teardown(() => {
      for (const socket of sockets) socket.destroy();
      child.kill('SIGKILL');
    });
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const port = Number(line);
    const early = new Asker(port);
    t.equal(await early.ask(), '32');

    let refused = 0;
    for (let opened = 0; opened < flood; opened++) {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => undefined).once('close', () => refused++);
      await new Promise<void>((resolve) => {
        socket.once('connect', resolve).once('close', () => resolve());
      });
      // This process opens connections fast. After a few of them, it gives the listener's event loop a turn.
      if (opened % 5 === 0) await early.ask();
    }
    let openable: string | null = null;
    await until(async () => {
      // Sends requests continuously, because the listener closes an idle connection.
      openable = await early.ask();
      return refused >= flood - descriptorsForClients(descriptors);
    }, 'the others are refused');
    t.equal(openable, '32', 'files can be opened all the same');

    for (const socket of sockets) socket.destroy();
    await until(async () => {
      const late = new Asker(port);
      const answer = await late.ask();
      late.end();
      return answer === '32';
    }, 'connections are taken again');
    early.end();
    child.kill('SIGTERM');
  });
}
