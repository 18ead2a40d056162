/**
 * This file is preloaded with `NODE_OPTIONS=--import=...`. It measures how long the main thread of one command is
 * blocked, and reports this time to `thread-blocks.ts` on the port that TEST_BLOCKS_PORT names.
 */
import { openSync, readSync } from 'node:fs';
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

/** Interval in ms of the timer that reads the clock. */
const tick = 1;
/** A block of at least this many ms is measured exactly, because the thread then pauses before it reads the clock. */
const worthMeasuring = 4;
/** Number of untimed runs of the reference loop before the timed runs. */
const warmUps = 5;
/** Number of timed runs of the reference loop. */
const timedRuns = 5;
/** Number of rounds in the reference loop. They take 25 ms on an idle core of the machine on which the limits were chosen (2026-11-26). */
const rounds = 860;

const words = new Uint32Array(16_384);

/** Does a fixed amount of work on one core. */
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

/** Returns a clock of this thread's CPU time in ms. On systems other than Linux it measures wall time. */
const threadClock = (): (() => number) => {
  if (process.platform !== 'linux') return () => performance.now();
  const file = openSync('/proc/thread-self/schedstat', 'r');
  const text = Buffer.alloc(64);
  return () => {
    const length = readSync(file, text, 0, text.length, 0);
    return Number(text.toString('latin1', 0, length).split(' ')[0]) / 1e6;
  };
};

/** Pauses the thread briefly, because Linux updates a thread's CPU time when the thread pauses. */
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
    // The event loop may have been blocked until this request. The delay lets the timer measure that block before the
    // answer.
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
