/** Tests the pieces of open utterances that diarization receives. */
import fc from 'fast-check';
import t from 'tap';
import { endOf, joinPieces, type VoicePiece, VoicePieces } from '../../../src/engine/voices/pieces.js';

/** The samples of a stream. Within each 2 s, all values are distinct. */
const stream = Int16Array.from({ length: 160_000 }, (_, index) => index % 32_000);
const part = (start: number, end: number) => ({ start, pcm: stream.subarray(start, end) });
const freshOf = ({ pcm, fresh }: VoicePiece): Int16Array => pcm.subarray(fresh.from, fresh.to);

const bytes = (samples: Int16Array): Buffer => Buffer.from(Int16Array.from(samples).buffer);

const together = (pieces: readonly VoicePiece[]): Int16Array =>
  Int16Array.from(pieces.flatMap((piece) => [...freshOf(piece)]));

const joins = (found: readonly VoicePiece[]): boolean => {
  const [first, ...rest] = found;
  if (first === undefined) return true;
  const joined = rest.reduce<VoicePiece | undefined>((one, other) => one && joinPieces(one, other), first);
  return (
    joined !== undefined &&
    Buffer.compare(bytes(freshOf(joined)), bytes(together(found))) === 0 &&
    endOf(joined) === endOf(found.at(-1)!)
  );
};

t.test('takes every sample of an open utterance exactly once', (t) => {
  fc.assert(
    fc.property(
      fc.nat(20_000),
      fc.array(fc.integer({ min: 1, max: 20_000 }), { maxLength: 6 }),
      (start, steps) => {
        const pieces = new VoicePieces();
        const found: VoicePiece[] = [];
        let end = start;
        for (const [index, step] of steps.entries()) {
          end += step;
          const ended = index === steps.length - 1;
          const piece = pieces.take(part(start, end), 1000 + start / 16, ended);
          if (piece !== undefined) found.push(piece);
        }
        const all = together(found);
        const clock = found.every(({ from, pcm }) => stream[Math.round((from - 1000) * 16)] === pcm[0]);
        return clock && Buffer.compare(bytes(all), bytes(stream.subarray(start, end))) === 0 && joins(found);
      },
    ),
  );
  t.pass('none is lost, and none is there twice');
  t.end();
});

t.test('does not take audio again when an utterance ends earlier than expected', (t) => {
  const pieces = new VoicePieces();
  const first = pieces.take(part(0, 48_000), 0, false)!;
  t.equal(first.fresh.to, 48_000 - 3200, 'the last 200 ms wait');
  t.equal(pieces.take(part(0, 40_000), 0, true), undefined, 'nothing of it is new');
  const next = pieces.take(part(40_000, 64_000), 2500, true)!;
  t.same(freshOf(next), stream.subarray(48_000 - 3200, 64_000));
  t.equal(endOf(next), 4000);
  t.end();
});

t.test('does not join pieces with a gap, or pieces that would be too long', (t) => {
  const piece = (from: number, seconds: number): VoicePiece => ({
    pcm: new Int16Array(seconds * 16_000),
    from,
    fresh: { from: 0, to: seconds * 16_000 },
  });
  t.equal(joinPieces(piece(0, 1), piece(1500, 1)), undefined);
  t.equal(joinPieces(piece(0, 10), piece(10_000, 6)), undefined);
  t.equal(joinPieces(piece(0, 1), piece(1000, 1))?.pcm.length, 32_000);
  t.end();
});
