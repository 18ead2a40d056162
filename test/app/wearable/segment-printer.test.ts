/** Tests the output of `cochlea listen`, also for a transcript with terminal control sequences. */
import t from 'tap';
import { SegmentPrinter } from '../../../src/app/listen/segment-printer.js';
import type { LiveSegment } from '../../../src/wire/segment.js';

const segment = (id: string, text: string, speaker = 'SPEAKER_00'): LiveSegment =>
  ({ id, text, speaker, start: 1, end: 62.5 }) as LiveSegment;

t.test('prints a segment as a line, and only the new words of a growing segment', async (t) => {
  const lines: string[] = [];
  const printer = new SegmentPrinter((line) => lines.push(line));
  printer.segments([segment('a', 'Good morning.')]);
  printer.segments([segment('a', 'Good morning.')]);
  printer.segments([segment('a', 'Good morning. All well?')]);
  t.same(lines, ['00:01.0-01:02.5  SPEAKER_00  Good morning.', '01:02.5-01:02.5  SPEAKER_00  All well?']);
});

t.test('prints the person of a speaker once', async (t) => {
  const lines: string[] = [];
  const printer = new SegmentPrinter((line) => lines.push(line));
  const said = segment('a', 'Good morning.');
  printer.segments([said]);
  for (const more of [{ is_user: true }, { is_user: true }, { is_user: false, person_id: 'ada' }])
    printer.segments([{ ...said, ...more } as LiveSegment]);
  printer.event({ type: 'speaker_label_suggestion', speaker_id: 1, person_id: 'b', person_name: 'Ben' });
  printer.event({ type: 'service_status', status: 'message_refused', reason: 'person_unknown' });
  t.same(lines.slice(1), [
    '-- SPEAKER_00 is the user',
    '-- SPEAKER_00 is the person ada',
    '-- speaker 1 may be Ben',
    '-- message_refused: person_unknown',
  ]);
});

t.test('removes terminal control characters from texts', async (t) => {
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
