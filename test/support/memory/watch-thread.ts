/**
 * Preloaded (`NODE_OPTIONS=--import=...`): measures how long the main thread of one command is blocked, and reports
 * it on the port of TEST_BLOCKS_PORT to `thread-blocks.ts`.
 */
import { openSync, readSync } from 'node:fs';
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

/** Ms between two readings of the clock. */
const tick = 1;
/** Ms from which a block is measured exactly. */
const worthMeasuring = 4;
/** Untimed runs of the reference loop before the timed ones, and the number of timed runs. */
const warmUps = 5;
const timedRuns = 5;
/** Rounds of the reference loop: 25 ms on an idle core of the machine that the limit was set on (2026-11-26). */
const rounds = 860;

const words = new Uint32Array(16_384);

/** A fixed piece of work for one core. */
const referenceLoop = (): void => {
  let state = 1;
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < words.length; at++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      words[at] = (words[at]! + state) >>> 0;
    }
  }
};

const asleep = new Int32Array(new SharedArrayBuffer(4));

/** CPU time of this thread in ms. Without Linux it is wall time. */
const threadClock = (): (() => number) => {
  if (process.platform !== 'linux') return () => performance.now();
  const file = openSync('/proc/thread-self/schedstat', 'r');
  const text = Buffer.alloc(64);
  return () => {
    const length = readSync(file, text, 0, text.length, 0);
    return Number(text.toString('latin1', 0, length).split(' ')[0]) / 1e6;
  };
};

/** Linux updates a thread's CPU time when the thread pauses. */
const pause = (): unknown => Atomics.wait(asleep, 0, 0, 0.01);

const watch = (port: number): void => {
  const clock = threadClock();
  let timer: NodeJS.Timeout | undefined;
  let longest = 0;
  let references: number[] = [];

  const timeReference = (): void => {
    for (let run = 0; run < warmUps; run++) referenceLoop();
    for (let run = 0; run < timedRuns; run++) {
      pause();
      const before = clock();
      referenceLoop();
      pause();
      references.push(clock() - before);
    }
  };

  const begin = (): void => {
    references = [];
    longest = 0;
    timeReference();
    pause();
    let before = clock();
    let seen = performance.now();
    timer = setInterval(() => {
      if (performance.now() - seen >= worthMeasuring) pause();
      const now = clock();
      longest = Math.max(longest, now - before);
      before = now;
      seen = performance.now();
    }, tick);
  };

  const end = (): { readonly longest: number; readonly reference: number } => {
    clearInterval(timer);
    timeReference();
    const sorted = references.sort((one, other) => one - other);
    return { longest, reference: sorted[sorted.length >> 1]! };
  };

  createServer((request, response) => {
    // The timer must see a block that ends with this request before the answer.
    setTimeout(() => {
      if (request.url === '/begin') begin();
      response.end(JSON.stringify(request.url === '/end' ? end() : {}));
    }, 2 * tick);
  })
    .listen(port, '127.0.0.1')
    .unref();
};

const port = Number(process.env.TEST_BLOCKS_PORT);
if (isMainThread && process.argv[2] === process.env.TEST_BLOCKS_COMMAND) watch(port);
