import fc from 'fast-check';
import t from 'tap';
import { OpusPace } from '../../src/audio/opus-pace.js';

/** TOC bytes of one frame a packet: SILK wide band of 20 ms, the same in narrow band, SILK of 60 ms, CELT of 20 ms. */
const silk20 = 9 << 3;
const silk20Narrow = 1 << 3;
const silk60 = 11 << 3;
const celt20 = 31 << 3;

interface Sent {
  readonly at: number;
  readonly bytes: readonly number[];
  /** Whether it is audio. */
  readonly audio: boolean;
}

const heard = (sent: readonly Sent[]): boolean[] => {
  const pace = new OpusPace();
  return sent.map(({ at, bytes }) => pace.counts(bytes[0] ?? 0, bytes[1] ?? 0, bytes.length, at));
};

const coded = (toc: number): readonly number[] => [toc, ...new Array<number>(40).fill(7)];

t.test('small packets of an Opus stream', (t) => {
  const cases: [name: string, sent: [at: number, bytes: readonly number[]][], expected: boolean[]][] = [
    [
      'DTX at the pace of the stream',
      [
        [0, coded(silk20)],
        [20, [silk20]],
        [40, [silk20, 0]],
      ],
      [true, true, true],
    ],
    [
      'another band width',
      [
        [0, coded(silk20)],
        [20, [silk20Narrow]],
      ],
      [true, true],
    ],
    [
      'late by less than three packets',
      [
        [0, coded(silk20)],
        [59, [silk20]],
        [119, [silk20]],
      ],
      [true, true, true],
    ],
    [
      'behind a pause',
      [
        [0, coded(silk20)],
        [100, [silk20]],
        [120, [silk20]],
      ],
      [true, false, false],
    ],
    [
      'long packets may be later',
      [
        [0, coded(silk60)],
        [170, [silk60]],
      ],
      [true, true],
    ],
    [
      'another frame length',
      [
        [0, coded(silk20)],
        [20, [silk60]],
      ],
      [true, false],
    ],
    [
      'another mode',
      [
        [0, coded(silk20)],
        [20, [celt20]],
      ],
      [true, false],
    ],
    [
      'zeros, as many clients send',
      [
        [0, coded(silk20)],
        [20, [0]],
        [21, [0, 0]],
        [22, []],
      ],
      [true, false, false, false],
    ],
    ['nothing came before', [[0, [silk20]]], [false]],
    [
      'audio counts whatever came before',
      [
        [0, [0]],
        [5000, coded(celt20)],
        [5020, [celt20]],
      ],
      [false, true, true],
    ],
  ];
  for (const [name, sent, expected] of cases) {
    t.same(heard(sent.map(([at, bytes]) => ({ at, bytes, audio: true }))), expected, name);
  }
  t.end();
});

t.test('the clock of random schedules of audio, DTX and keep-alives', (t) => {
  const packet = 20;
  const part = fc.oneof(
    fc.record({ kind: fc.constant('audio' as const), count: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ kind: fc.constant('dtx' as const), count: fc.integer({ min: 1, max: 400 }) }),
    fc.record({
      kind: fc.constant('silent' as const),
      // Ms between two keep-alives, and what each of them is.
      count: fc.integer({ min: 1, max: 20 }),
      every: fc.integer({ min: 100, max: 30_000 }),
      bytes: fc.constantFrom<readonly number[]>([], [0], [silk20], [0, 0], [silk20, 0], [255, 255]),
    }),
  );
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 0, max: 19 }),
      (parts, late) => {
        const sent: Sent[] = [];
        let at = 0;
        let paced = false;
        for (const step of parts) {
          if (step.kind === 'silent') {
            for (let index = 0; index < step.count; index++) {
              at += step.every;
              sent.push({ at, bytes: step.bytes, audio: false });
            }
            paced = false;
            continue;
          }
          for (let index = 0; index < step.count; index++) {
            at += packet;
            const isAudio: boolean = step.kind === 'audio' || paced;
            const bytes = step.kind === 'audio' ? coded(silk20) : [silk20];
            // Packets come a little late, never before each other.
            sent.push({ at: at + (index % 2 === 0 ? late : 0), bytes, audio: isAudio });
            paced = isAudio;
          }
        }
        return heard(sent).every((audio, index) => audio === sent[index]!.audio);
      },
    ),
    { numRuns: 1000 },
  );
  t.end();
});
