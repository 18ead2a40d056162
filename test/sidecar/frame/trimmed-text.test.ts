/** Limits of texts count code points, not UTF-16 code units. */
import fc from 'fast-check';
import t from 'tap';
import { requiredText } from '../../../src/service/rules/rules.js';
import { trimmed } from '../../../src/sidecar/schemas/fields.js';

/** Texts with spaces, and with code points of one and of two UTF-16 code units. */
const texts = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '😀', '𐍈'), maxLength: 12 });
const bounds = fc.record({ minimum: fc.nat({ max: 4 }), more: fc.nat({ max: 4 }) });

t.test('accepts a text exactly if its number of code points is within the bounds', async (t) => {
  fc.assert(
    fc.property(texts, bounds, (text, { minimum, more }) => {
      const maximum = minimum + more;
      const count = [...text.trim()].length;
      const parsed = trimmed(minimum, maximum).safeParse(text);
      const expected =
        count < minimum ? 'string_too_short' : count > maximum ? 'string_too_long' : text.trim();
      const found = parsed.success
        ? parsed.data
        : (parsed.error.issues[0] as { params?: { type?: string } }).params?.type;
      return found === expected;
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(texts, fc.nat({ max: 8 }), (text, most) => {
      const count = [...text.trim()].length;
      try {
        return requiredText('content', text, most) === text.trim() && count > 0 && count <= most;
      } catch {
        return count === 0 || count > most;
      }
    }),
    { numRuns: 2000 },
  );
  t.pass('2,000 texts for each function');
});
