/** What `cochlea listen` prints of a transcript, also of one that is to harm the terminal. */
import t from 'tap';
import { SegmentPrinter } from '../../src/app/segment-printer.js';
import type { LiveSegment } from '../../src/wire/segment.js';

const segment = (id: string, text: string, speaker = 'SPEAKER_00'): LiveSegment =>
  ({ id, text, speaker, start: 1, end: 62.5 }) as LiveSegment;

t.test('a segment is a line, and one that grows adds its new words', async (t) => {
  const lines: string[] = [];
  const printer = new SegmentPrinter((line) => lines.push(line));
  printer.segments([segment('a', 'Good morning.')]);
  printer.segments([segment('a', 'Good morning.')]);
  printer.segments([segment('a', 'Good morning. All well?')]);
  t.same(lines, ['00:01.0-01:02.5  SPEAKER_00  Good morning.', '01:02.5-01:02.5  SPEAKER_00  All well?']);
});

t.test('nothing that was said steers the terminal', async (t) => {
  const lines: string[] = [];
  const printer = new SegmentPrinter((line) => lines.push(line));
  printer.segments([segment('a', 'a\u001b[2Jb\nc\u202ed\u009b1m \u0645\u06cc\u200c\u062e', 'S\u0007')]);
  printer.event({ type: 'service_status', status: 'ready\u001b[0m', status_text: 'x\r' });
  printer.event({ type: 'other\u001bc' });
  t.same(lines, [
    '00:01.0-01:02.5  S\u{fffd}  a\u{fffd}[2Jb cd\u{fffd}1m \u0645\u06cc\u200c\u062e',
    '-- ready\u{fffd}[0m: x\u{fffd}',
    '-- other\u{fffd}c',
  ]);
});
