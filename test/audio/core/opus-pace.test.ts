import fc from 'fast-check';
import t from 'tap';
import { OpusPace } from '../../../src/audio/opus-pace.js';

/** TOC bytes of packets with one frame: 20 ms SILK wide-band, 20 ms SILK narrow-band, 60 ms SILK, 20 ms CELT. */
const silk20 = 9 << 3;
const silk20Narrow = 1 << 3;
const silk60 = 11 << 3;
const celt20 = 31 << 3;

interface Sent {
  readonly at: number;
  readonly bytes: readonly number[];
  /** Whether the packet is audio instead of a keep-alive. */
  readonly audio: boolean;
}

/**
 * Returns how many packets are counted at each arrival: the arriving packet, and earlier packets that were held back.
 */
const heard = (sent: readonly Pick<Sent, 'at' | 'bytes'>[]): number[] =>
  counted(sent).map(({ own, before }) => own + before);

const counted = (sent: readonly Pick<Sent, 'at' | 'bytes'>[]): { own: number; before: number }[] => {
  const pace = new OpusPace();
  return sent.map(({ at, bytes }) => {
    const own = pace.counts(bytes[0] ?? 0, bytes[1] ?? 0, bytes.length, at);
    return { own, before: pace.before };
  });
};

const coded = (toc: number): readonly number[] => [toc, ...new Array<number>(40).fill(7)];

t.test('assigns time to small packets of an Opus stream', (t) => {
  const cases: [name: string, sent: [at: number, bytes: readonly number[]][], expected: number[]][] = [
    [
      'DTX at the pace of the stream',
      [
        [0, coded(silk20)],
        [20, [silk20]],
        [40, [silk20, 0]],
      ],
      [1, 1, 1],
    ],
    [
      'another band width',
      [
        [0, coded(silk20)],
        [20, [silk20Narrow]],
      ],
      [1, 1],
    ],
    [
      'late by less than three packets',
      [
        [0, coded(silk20)],
        [59, [silk20]],
        [119, [silk20]],
      ],
      [1, 1, 1],
    ],
    [
      'behind a pause',
      [
        [0, coded(silk20)],
        [100, [silk20]],
        [120, [silk20]],
      ],
      [1, 0, 0],
    ],
    [
      'long packets may be later',
      [
        [0, coded(silk60)],
        [170, [silk60]],
      ],
      [1, 1],
    ],
    [
      'several at once, which a bridge held back',
      [
        [0, coded(silk20)],
        [0, coded(silk20)],
        [100, [silk20]],
        [100, [silk20]],
        [100, [silk20]],
        [100, [silk20]],
        [100, [silk20]],
        [200, [silk20]],
        [200, [silk20]],
        [200, [silk20]],
      ],
      [1, 1, 0, 0, 3, 1, 1, 0, 0, 3],
    ],
    [
      'more at once than time has passed',
      [[0, coded(silk20)], ...new Array<[number, number[]]>(12).fill([100, [silk20]]), [140, [silk20]]],
      [1, 0, 0, 3, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2],
    ],
    [
      'many, long after the last audio',
      [[0, coded(silk20)], ...new Array<[number, number[]]>(200).fill([2001, [silk20]])],
      [1, ...new Array<number>(200).fill(0)],
    ],
    [
      'another frame length',
      [
        [0, coded(silk20)],
        [20, [silk60]],
      ],
      [1, 0],
    ],
    [
      'another mode',
      [
        [0, coded(silk20)],
        [20, [celt20]],
      ],
      [1, 0],
    ],
    [
      'zeros, as many clients send',
      [
        [0, coded(silk20)],
        [20, [0]],
        [21, [0, 0]],
        [22, []],
      ],
      [1, 0, 0, 0],
    ],
    ['nothing came before', [[0, [silk20]]], [0]],
    [
      'audio counts whatever came before',
      [
        [0, [0]],
        [5000, coded(celt20)],
        [5020, [celt20]],
      ],
      [0, 1, 1],
    ],
  ];
  for (const [name, sent, expected] of cases) {
    t.same(heard(sent.map(([at, bytes]) => ({ at, bytes }))), expected, name);
  }
  t.end();
});

/** TOC bytes of packets with one frame, by duration in ms. */
const tocs: Readonly<Record<number, number>> = {
  2.5: 28 << 3,
  5: 29 << 3,
  10: 8 << 3,
  20: silk20,
  40: 10 << 3,
  60: silk60,
};

t.test('keeps the clock right for random schedules of audio, DTX and keep-alives', (t) => {
  const count = (most: number) => fc.integer({ min: 1, max: most });
  const part = fc.record({
    audio: count(60),
    dtx: fc.nat(400),
    // Number of keep-alives after the audio, number of packet intervals between two of them, and the kind of each.
    silent: fc.nat(20),
    between: fc.integer({ min: 5, max: 3000 }),
    keepAlive: fc.constantFrom<readonly (number | 'toc')[]>([], [0], ['toc'], [0, 0], ['toc', 0], [255, 255]),
  });
  const schedule = fc.record({
    packet: fc.constantFrom(2.5, 5, 10, 20, 40, 60),
    // Time in ms for which a bridge holds packets back (0: no bridge), and the maximum delay of packets.
    burst: fc.constantFrom(0, 50, 100, 150, 200, 400),
    late: fc.oneof(
      fc.constant(new Array<number>(7).fill(0)),
      fc.array(fc.nat(100), { minLength: 7, maxLength: 7 }),
    ),
    parts: fc.array(part, { minLength: 1, maxLength: 8 }),
  });
  fc.assert(
    fc.property(schedule, ({ packet, burst, late, parts }) => {
      const toc = tocs[packet]!;
      const lateness = Math.max(packet, burst) / 2;
      const sent: (Sent & { readonly part: number })[] = [];
      let made = 0;
      let arrived = 0;
      const deliver = (bytes: readonly number[], part: number, audio: boolean): void => {
        const turn = burst === 0 ? sent.length : Math.ceil(made / burst);
        const due = burst === 0 ? made : turn * burst;
        arrived = Math.max(arrived, due + (late[turn % late.length]! / 100) * lateness);
        sent.push({ at: arrived, bytes, audio, part });
      };
      for (const [number, { audio, dtx, silent, between, keepAlive }] of parts.entries()) {
        for (let index = 0; index < audio + dtx; index++) {
          made += packet;
          deliver(index < audio ? coded(toc) : [toc], number, true);
        }
        for (let index = 0; index < silent; index++) {
          made = Math.max(made, arrived);
          made += Math.max(100, between * packet);
          arrived = made;
          const bytes = keepAlive.map((byte) => (byte === 'toc' ? toc : byte));
          sent.push({ at: made, bytes, audio: false, part: number });
        }
      }
      const jitter = late.every((share) => share === 0) ? 0 : lateness;
      const counts = counted(sent);
      const totals = parts.map(() => 0);
      for (const [index, { audio, part }] of sent.entries()) {
        const { own, before } = counts[index]!;
        // Only with bursts and jitter may a keep-alive be counted. It can end the wait after an early burst of DTX, and
        // then counts as one of the burst's packets.
        if (!audio && own + before !== 0 && (burst === 0 || jitter === 0)) return false;
        totals[part]! += own;
        // `before` counts packets that were held back before this packet. They must be audio or DTX, so the previous
        // packet must not be a keep-alive.
        if (before > 0 && !sent[index - 1]!.audio) return false;
        if (before > 0) totals[sent[index - 1]!.part]! += before;
      }
      let short = 0;
      let pauses = 0;
      for (const [number, { audio, dtx, silent }] of parts.entries()) {
        short += audio + dtx - totals[number]!;
        pauses++;
        // If audio follows at once, at most two packets of each pause may stay uncounted. Otherwise half of a burst may
        // stay uncounted, too. Jitter adds to both limits.
        const goesOn = silent === 0 && number < parts.length - 1;
        const held = goesOn ? Math.sign(jitter) * burst : burst / 2;
        const missing = burst === 0 ? 0 : 2 * pauses * packet + held + jitter;
        if (short * packet > missing || short < (jitter === 0 ? 0 : -1)) return false;
        if (goesOn) continue;
        short = 0;
        pauses = 0;
      }
      return true;
    }),
    { numRuns: 1000 },
  );
  t.end();
});

t.test('small packets never stand for more time than has passed', (t) => {
  const schedule = fc.record({
    packet: fc.constantFrom(2.5, 5, 10, 20, 40, 60),
    bursts: fc.array(
      fc.record({ after: fc.integer({ min: 181, max: 3000 }), count: fc.integer({ min: 1, max: 900 }) }),
      { minLength: 1, maxLength: 10 },
    ),
  });
  fc.assert(
    fc.property(schedule, ({ packet, bursts }) => {
      const toc = tocs[packet]!;
      let at = 0;
      const sent = bursts.flatMap(({ after, count }) => {
        at += after;
        return Array.from({ length: count }, () => ({ at, bytes: [toc] }));
      });
      const [, ...counts] = heard([{ at: 0, bytes: coded(toc) }, ...sent]);
      let counted = 0;
      return counts.every((packets, index) => {
        counted += packets * packet;
        return counted <= sent[index]!.at + 3 * packet;
      });
    }),
  );
  t.end();
});

/** Returns a packet of equal empty frames: its TOC byte, and the number of frames if there are several. */
const emptyFrames = (toc: number, frames: number): readonly number[] =>
  frames === 1 ? [toc] : [toc | 3, frames];

t.test('small packets of several lengths never stand for more time than has passed', (t) => {
  const packet = fc.record({ after: fc.nat(400), frames: fc.integer({ min: 1, max: 6 }) });
  const schedule = fc.array(packet, { minLength: 100, maxLength: 1000 });
  fc.assert(
    fc.property(schedule, (packets) => {
      const pace = new OpusPace();
      pace.counts(silk20, 7, 41, 0);
      // The packets follow a pause, so the counter holds them back.
      let at = 1000;
      let counted = 0;
      return packets.every(({ after, frames }, index) => {
        at += index % 50 === 0 ? after : 0;
        const [first, second = 0] = emptyFrames(silk20, frames);
        const own = pace.counts(first!, second, frames === 1 ? 1 : 2, at);
        counted += own * frames * 20;
        return own >= 0 && counted <= at + 3 * 120;
      });
    }),
  );
  t.end();
});

t.test('waiting packets with several frames count the time of all frames', (t) => {
  for (const frames of [1, 2, 3]) {
    const pace = new OpusPace();
    pace.counts(silk20 | 3, frames, 41, 0);
    const at = 30 * 20 * frames;
    for (let index = 0; index < 5; index++) pace.counts(silk20 | 3, frames, 2, at);
    pace.counts(silk20 | 3, frames, 41, at);
    t.equal(pace.before, 5 * frames, `${frames} frames`);
    t.same([...pace.heldPacket], [silk20], 'each stands for one of them');
  }
  t.end();
});
