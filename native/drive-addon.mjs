// Calls the addon with frames of every length and kind, for a build with sanitizers:
// node native/drive-addon.mjs ADDON.node WEIGHTS.bin
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [addonPath, weightsPath] = process.argv.slice(2);
const addon = createRequire(import.meta.url)(resolve(addonPath));
const weights = readFileSync(weightsPath);
const memory = new Uint8Array(new SharedArrayBuffer(131_072));
const events = new Float64Array(5 * 4096);
const decided = new Uint32Array(1 + 4096);
// An empty object selects the gate's default options, which are in gate/gate.h.
const gate = {};
const options = { gate, frameQueueDuration: 2000, turnWindows: 16, turnDeadline: 8, maxStreams: 32 };

// A small random generator with a fixed seed, so that findings can be reproduced.
let seed = 1;
const random = () => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return seed >>> 8;
};
for (let i = 0; i < memory.length; i++) memory[i] = random();

let formats = [];
let utterances = 0;
// Runs all formats twice. Without a budget every frame is decoded. With a budget most frames are refused.
for (const budget of [undefined, { pace: 4, backlog: 10_000 }]) {
  formats = [];
  const core = new addon.Core(budget === undefined ? options : { ...options, budget }, memory, events, decided, weights);
  const ratesOf = (codec) => (codec < 4 ? [8000, 16_000, 44_100, 48_000] : [8000, 16_000, 24_000, 48_000]);
  for (const codec of [0, 1, 2, ...(addon.aac ? [3] : []), ...(addon.lc3 ? [4, 5] : [])]) {
    for (const rate of ratesOf(codec)) formats.push([codec, rate, 1 + (formats.length % 2)]);
  }
  formats.forEach((format, handle) => {
    assert.equal(core.open(handle, ...format), 0);
  });
  // Adds AAC and LC3 streams, if their libraries are on this machine.
  for (const format of [
    [3, 16_000, 1],
    [4, 16_000, 1],
    [4, 48_000, 2],
    [5, 16_000, 1],
  ]) {
    const result = core.open(formats.length, ...format);
    if (result === 0) formats.push(format);
    else assert.equal(result, 2);
  }

  const batch = new Uint32Array(4 * formats.length);
  let now = 0;
  const visit = (count) => {
    for (let i = 0; i < count; i++) {
      if (events[5 * i + 1] !== 3) continue;
      assert.ok(core.takeUtterance(events[5 * i]).pcm.length > 0);
      utterances++;
    }
  };
  for (let length = 0; length <= 65_536; length += 1 + (length >> 6)) {
    formats.forEach((_, handle) => {
      batch.set([handle, random() % (memory.length - length), length, now], 4 * handle);
    });
    if (length % 5 === 4) core.lose(length % formats.length, 3, 100);
    core.push(batch, formats.length, now);
    visit(core.turn(now, length % 3 === 0));
    now += 10;
  }
  formats.forEach((_, handle) => {
    visit(core.flush(handle));
    assert.ok(core.status(handle).framesInvalid > 0);
    core.close(handle);
  });
  core.destroy();
}
addon.probeDetector(weights, new Int16Array(512 * 20), 16);
addon.probeDetector(weights, new Int16Array(256 * 20), 16, undefined, false, 8000);
addon.probeGate(gate, new Float32Array(100).fill(0.9));
addon.probeResampler(44_100, new Int16Array(44_100));
for (const samples of [0, 1, 159, 160, 2399, 48_000]) addon.melSpectrogram(new Int16Array(samples).fill(-32_768), 3);
for (const dims of [1, 31, 256]) {
  const matrix = Float32Array.from({ length: 9 * dims }, () => random() / 2 ** 24 - 0.5);
  assert.equal(addon.cosineTopK(matrix.subarray(0, dims), matrix, 9, dims, 4).length, 8);
  assert.equal(addon.cosineTopK(matrix, matrix, 10, dims, 4), undefined);
}
// Checks that a frame is copied into the ring only if all of it fits.
const ring = new Uint8Array(64);
for (const [offset, length] of [[0, 0], [0, 64], [63, 1], [64, 0], [64, 1], [1, 64], [0xffff_ffff, 1], [-1, 2], [0, 100_000]]) {
  addon.copyFrame(ring, offset, new ArrayBuffer(length));
}
console.log(`the addon survived ${formats.length} streams of random frames, ${utterances} utterances`);
