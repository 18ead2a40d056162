/**
 * Times in queries arrive as text. A text may look like a JSON number with an exponent, and its plus sign may have
 * become a space.
 */
import fc from 'fast-check';
import t from 'tap';
import { dateTime } from '../../../src/sidecar/schemas/fields.js';

const firstMoment = Date.parse('0001-01-01T00:00:00Z');
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

t.test('a number and its text mean the same time', async (t) => {
  fc.assert(
    fc.property(fc.double({ min: firstMoment, max: lastMoment, noNaN: true }), (number) => {
      const [asNumber, asText, asExponent] = [number, String(number), number.toExponential()].map((given) =>
        dateTime.parse(given).getTime(),
      );
      return asNumber === asText && asNumber === asExponent;
    }),
    { numRuns: 2000, examples: [[-1.2165831411612295e-275], [1.5e9], [0]] },
  );
  for (const text of ['1e', 'e5', '1e5.5', '1e400', '0x10', '1e5e5']) {
    t.notOk(dateTime.safeParse(text).success, `${text} is not a time`);
  }
});

t.test('the plus sign of a time zone may arrive as a space', async (t) => {
  for (const [given, meant] of [
    ['2026-10-01T01:00:00 05:30', '2026-09-30T19:30:00.000Z'],
    ['2026-10-01T01:00:00.5 0530', '2026-09-30T19:30:00.500Z'],
    ['2026-10-01 05:30', '2026-10-01T05:30:00.000Z'],
  ] as const) {
    t.equal(dateTime.parse(given).toISOString(), meant, given);
  }
  for (const text of ['2026-10-01 05:30 x', '2026-10-01T01:00:00  05:30', '2026-10-01T01:00:00 5:30']) {
    t.notOk(dateTime.safeParse(text).success, text);
  }
});
