/** Tests texts as they are stored, and as reasons of close frames. */
import fc from 'fast-check';
import t from 'tap';
import { closeReason, longestCloseReason } from '../../src/common/close-reason.js';
import { characterCount, startWithin, storableName, storableText } from '../../src/common/text.js';

t.test('replaces characters that PostgreSQL cannot store and keeps all others', async (t) => {
  const cases: [text: string, stored: string][] = [
    ['', ''],
    ['plain', 'plain'],
    ['\0', '\ufffd'],
    ['a\0b\0', 'a\ufffdb\ufffd'],
    ['\ud83d', '\ufffd'],
    ['\ude00\ud83d', '\ufffd\ufffd'],
    ['\ud83d\ude00', '\ud83d\ude00'],
    ['\ud83d\ud83d\ude00', '\ufffd\ud83d\ude00'],
    ['tab\t bell\u0007 line\n', 'tab\t bell\u0007 line\n'],
  ];
  for (const [text, stored] of cases) t.equal(storableText(text), stored, JSON.stringify(text));
  t.equal(storableName(null), null);
  t.equal(storableName(undefined), null);
  t.equal(storableName('a\0'), 'a\ufffd');
});

t.test('shortens a close reason between code points', async (t) => {
  const cases: [text: string, reason: string][] = [
    ['', ''],
    ['x'.repeat(123), 'x'.repeat(123)],
    ['x'.repeat(124), 'x'.repeat(123)],
    [`${'x'.repeat(119)}\u{1f600}y`, `${'x'.repeat(119)}\u{1f600}`],
    [`${'x'.repeat(120)}\u{1f600}y`, 'x'.repeat(120)],
    [`${'x'.repeat(122)}\u{1f600}`, 'x'.repeat(122)],
    ['é'.repeat(62), 'é'.repeat(61)],
  ];
  for (const [text, reason] of cases) t.equal(closeReason(text), reason, text);
});

t.test('keeps the longest start of a text that fits', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.nat({ max: 160 }), (text, bytes) => {
      const start = startWithin(text, bytes);
      const next = [...text.slice(start.length)][0];
      return (
        text.startsWith(start) &&
        Buffer.byteLength(start) <= bytes &&
        (next === undefined || Buffer.byteLength(start + next) > bytes)
      );
    }),
  );
  t.equal(Buffer.byteLength(startWithin('\u{1f600}'.repeat(50), longestCloseReason)), 120);
});

t.test('counts code points, and a lone surrogate as one', async () => {
  const units = fc.constantFrom('\ud83d', '\ude00', '\u{1f600}', 'a', '\uffff', '\ue000', '\ud7ff');
  fc.assert(
    fc.property(fc.array(units, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      return characterCount(text) === [...text].length;
    }),
  );
});
