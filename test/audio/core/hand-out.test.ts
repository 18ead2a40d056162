/** Tests the audio that streams return in addition to utterances or instead of them: the same samples, in order, with their positions. */
import t from 'tap';
import { CoreEvent, windowSamples } from '../../../src/audio/interface/core.js';
import type { AudioNeed } from '../../../src/wire/stream.js';
import { Bench, bytesOf, coreKinds, cut, gateOptions, halved, speech } from '../support.js';

/** Samples of speech, long enough for several utterances. */
const some = speech.subarray(0, 14 * 16_000);
const wide = { sampleRate: 16_000, pcm: some };
const narrow = { sampleRate: 8000, pcm: halved(some) };
const frameMs = 20;

interface HandedOut {
  readonly samples: Int16Array;
  /** For each sample: 1 if the stream returned it, else 0. */
  readonly known: Uint8Array;
}

/** Collects all audio that a stream returned, placed on the stream's clock. */
const audioOf = (bench: Bench, handle: number, length: number): HandedOut => {
  const samples = new Int16Array(length);
  const known = new Uint8Array(length);
  for (const { position, pcm } of bench.piecesOf(handle)) {
    samples.set(pcm, position);
    known.fill(1, position, position + pcm.length);
  }
  return { samples, known };
};

/** Checks whether two signals have equal samples between two positions. */
const equal = (a: Int16Array, b: Int16Array): boolean =>
  Buffer.compare(Buffer.from(bytesOf(a)), Buffer.from(bytesOf(b))) === 0;

/** Checks whether the returned pieces are in order and do not overlap. */
const inOrder = (bench: Bench, handle: number): boolean =>
  bench.piecesOf(handle).every(({ position }, at, pieces) => {
    const before = pieces[at - 1];
    return before === undefined || position >= before.position + before.pcm.length;
  });

for (const kind of coreKinds) {
  for (const { sampleRate, pcm } of [wide, narrow]) {
    const frames = cut(bytesOf(pcm), (sampleRate / 1000) * frameMs * 2);
    const length = (pcm.length * 16_000) / sampleRate;
    const play = async (need: AudioNeed): Promise<Bench> => {
      const bench = await Bench.open(kind);
      bench.core.open(0, { codec: 'pcm16', sampleRate, channels: 1 });
      bench.core.choose(0, need);
      await bench.play(0, frames, frameMs);
      return bench;
    };

    t.test(
      `${kind.name}: an open utterance of ${sampleRate} Hz is the beginning of the finished one`,
      async (t) => {
        const gate = { ...gateOptions, open: { silence: 200, step: 1000 } };
        const bench = await Bench.open(kind, { gate });
        bench.core.open(0, { codec: 'pcm16', sampleRate, channels: 1 });
        t.equal(bench.core.openUtterance(0), undefined, 'nothing is open');
        bench.core.watch(0, true);
        await bench.play(0, frames, frameMs);
        const finished = bench.of(0);
        t.ok(bench.open.length > finished.length, `${bench.open.length} times`);
        for (const { utterance, pauses } of bench.open) {
          const { pcm: part, start, speechStart, speechEnd } = utterance;
          const whole = finished.find((other) => other.start === start);
          t.equal(whole?.speechStart, speechStart);
          // The filter that resamples to 16 kHz does not receive the samples after the last window.
          const known = Math.min(part.length, whole!.pcm.length) - windowSamples;
          t.ok(equal(part.subarray(0, known), whole!.pcm.subarray(0, known)), 'the same samples');
          t.equal(start + part.length > speechEnd, pauses, 'it ends with its speech, or in a pause');
        }
        t.ok(
          finished.some(({ speechEnd }) =>
            bench.open.some(({ utterance, pauses }) => pauses && utterance.speechEnd === speechEnd),
          ),
          'the pause that ends an utterance is told of, too',
        );
        const unwatched = await Bench.open(kind, { gate });
        unwatched.core.open(0, { codec: 'pcm16', sampleRate, channels: 1 });
        await unwatched.play(0, frames.slice(0, 200), frameMs);
        t.same(unwatched.open, [], 'unless that is asked for, nothing is told');
      },
    );

    t.test(`${kind.name}: audio of ${sampleRate} Hz contains exactly the utterances`, async (t) => {
      const [utterances, everything, gated] = await Promise.all([
        play('utterances'),
        play('everything'),
        play('gated'),
      ]);
      const cutOut = utterances.of(0);
      t.ok(cutOut.length > 1, 'the material has several utterances');
      t.equal(utterances.piecesOf(0).length, 0, 'audio is handed out only when asked for');
      const all = audioOf(everything, 0, length);
      t.ok(inOrder(everything, 0) && inOrder(gated, 0), 'in order, none twice');
      t.notOk(all.known.includes(0), 'nothing is left out');
      t.equal(everything.of(0).length + gated.of(0).length, 0, 'no utterances beside audio');
      const part = audioOf(gated, 0, length);
      t.ok(
        part.samples.every((sample, at) => part.known[at] === 0 || sample === all.samples[at]),
        'gated audio is a part of all audio',
      );
      for (const { start, pcm: samples, speechEnd } of cutOut) {
        const until = start + samples.length;
        t.ok(equal(all.samples.slice(start, until), samples), `all audio from ${start} to ${until}`);
        t.ok(equal(part.samples.slice(start, until), samples), 'gated audio, from before the onset');
        const end = Math.min(length, speechEnd + 64_000);
        t.notOk(part.known.subarray(start, end).includes(0), 'until four seconds after the speech');
      }
      const told = (bench: Bench) =>
        bench.events.filter((event) =>
          [CoreEvent.speechStart, CoreEvent.speechEnd].includes(event.kind as 1),
        );
      t.same(told(everything), told(utterances), 'speech is told all the same');
      t.same(told(gated), told(utterances));
    });
  }

  t.test(`${kind.name}: gated audio omits long silence`, async (t) => {
    const bench = await Bench.open(kind);
    bench.core.open(0, { codec: 'pcm16', sampleRate: 16_000, channels: 1 });
    bench.core.choose(0, 'gated');
    const pause = new Int16Array(10 * 16_000);
    const once = speech.subarray(0, 4 * 16_000);
    const material = Int16Array.from([...pause, ...once, ...pause, ...once]);
    await bench.play(0, cut(bytesOf(material), 640));
    const { samples, known } = audioOf(bench, 0, material.length);
    t.ok(inOrder(bench, 0));
    t.equal(known[0], 0, 'nothing before the first speech');
    const silent = known.filter((given) => given === 0).length;
    t.ok(silent > 14 * 16_000 && silent < 19 * 16_000, 'between them what the hangover leaves');
    t.ok(samples.every((sample, at) => known[at] === 0 || sample === material[at]));
  });

  t.test(`${kind.name}: a stream that changes its output mode loses and doubles no audio`, async (t) => {
    const frames = cut(bytesOf(some), 640);
    const bench = await Bench.open(kind);
    bench.core.open(0, { codec: 'pcm16', sampleRate: 16_000, channels: 1 });
    const needs = ['everything', 'utterances', 'everything', 'utterances'] as const;
    const part = Math.ceil(frames.length / needs.length);
    for (const [at, need] of needs.entries()) {
      bench.core.choose(0, need);
      for (const frame of frames.slice(at * part, (at + 1) * part)) {
        bench.push([[0, frame]]);
        bench.now += frameMs;
        await bench.turn();
      }
    }
    await bench.flush(0);
    const covered = new Uint8Array(some.length);
    for (const { position, pcm } of bench.piecesOf(0)) {
      for (let at = 0; at < pcm.length; at++) covered[position + at]!++;
    }
    for (const { start, pcm } of bench.of(0)) {
      for (let at = 0; at < pcm.length; at++) covered[start + at]!++;
    }
    t.notOk(covered.includes(2), 'nothing twice');
    const reference = await Bench.open(kind);
    reference.core.open(0, { codec: 'pcm16', sampleRate: 16_000, channels: 1 });
    await reference.play(0, frames);
    const missed = reference.of(0).reduce((sum, { speechStart, speechEnd }) => {
      return sum + covered.subarray(speechStart, speechEnd).filter((times) => times === 0).length;
    }, 0);
    t.equal(missed, 0, 'no speech is missing');
  });

  t.test(`${kind.name}: skips the silence of a long gap, but not the audio before it`, async (t) => {
    const bench = await Bench.open(kind, { frameQueueDuration: 200, budget: { pace: 1, backlog: 1000 } });
    bench.core.open(0, { codec: 'pcm16', sampleRate: 16_000, channels: 1 });
    bench.core.choose(0, 'everything');
    const loud = new Int16Array(320).fill(1000);
    // Pushes much more than the budget at once. Pushes the same amount again after the budget has partly recovered.
    for (let frame = 0; frame < 1000; frame++) {
      bench.push([[0, bytesOf(loud)]]);
      await bench.turn();
    }
    bench.now += 60_000;
    for (let frame = 0; frame < 20; frame++) bench.push([[0, bytesOf(loud)]]);
    await bench.turn();
    await bench.flush(0);
    t.ok(inOrder(bench, 0));
    const { position } = bench.core.status(0);
    const handedOut = bench.piecesOf(0).reduce((sum, { pcm }) => sum + pcm.length, 0);
    const loudest = bench.piecesOf(0).reduce((sum, { pcm }) => sum + pcm.filter((s) => s === 1000).length, 0);
    t.ok(handedOut < position / 2, 'most of the gap is not handed out');
    t.equal(loudest, bench.core.status(0).framesDecoded * 320, 'every decoded sample is');
  });
}
