/** Tests days in time zones, over every kind of clock change. */
import fc from 'fast-check';
import t from 'tap';
import { dayBounds, dayStarts, localDay } from '../../src/common/local-time/local-time.js';

const oneDay = 86_400_000;

for (const [what, zone, day, start, end] of [
  ['a usual day', 'Europe/Berlin', '2026-06-01', '2026-05-31T22:00Z', '2026-06-01T22:00Z'],
  ['23 hours', 'Europe/Berlin', '2026-03-29', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
  ['the day after 23 hours', 'Europe/Berlin', '2026-03-30', '2026-03-29T22:00Z', '2026-03-30T22:00Z'],
  ['25 hours', 'Europe/Berlin', '2026-10-25', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
  ['the day after 25 hours', 'Europe/Berlin', '2026-10-26', '2026-10-25T23:00Z', '2026-10-26T23:00Z'],
  ['25 hours west of UTC', 'America/New_York', '2026-11-01', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
  ['without a midnight', 'America/Havana', '2026-03-08', '2026-03-08T05:00Z', '2026-03-09T04:00Z'],
  ['with two midnights', 'America/Havana', '2026-11-01', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
  ['a change of half an hour', 'Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00Z', '2026-04-05T13:30Z'],
  ['14 hours ahead', 'Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00Z', '2026-01-01T10:00Z'],
  ['a day that the calendar skipped', 'Pacific/Apia', '2011-12-30', '2011-12-30T10:00Z', '2011-12-30T10:00Z'],
  ['the first year', 'Asia/Tokyo', '0001-01-01', '0001-01-01T00:00Z', '0001-01-02T00:00Z'],
] as const) {
  t.same(dayBounds(day, zone), { start: new Date(start), end: new Date(end) }, `${zone} ${day}: ${what}`);
}

for (const [zone, moment, day] of [
  ['Pacific/Kiritimati', '9999-12-31T23:00:00Z', '9999-12-31'],
  ['Pacific/Kiritimati', '+010000-01-01T00:00:00Z', '9999-12-31'],
  ['America/New_York', '0001-01-01T00:00:00Z', '0001-01-01'],
] as const) {
  t.equal(localDay(new Date(moment), zone), day, `${moment} in ${zone} has a day with a four-digit year`);
}

t.test('days follow each other without gaps, and every time is within its day', async (t) => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/Havana',
    'Asia/Kathmandu',
    'Africa/Casablanca',
    'America/Santiago',
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.parse('2024-01-01') / oneDay, max: Date.parse('2027-01-01') / oneDay }),
      fc.integer({ min: 1, max: 200 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (zone, first, count, place) => {
        const nameOf = (index: number): string =>
          new Date((first + index) * oneDay).toISOString().slice(0, 10);
        const starts = dayStarts(nameOf(0), count, zone);
        if (starts.length !== count + 1) throw new Error(`${starts.length} starts`);
        const index = Math.floor(place * count);
        const [start, end] = [starts[index]!.getTime(), starts[index + 1]!.getTime()];
        const bounds = dayBounds(nameOf(index), zone);
        if (bounds.start.getTime() !== start || bounds.end.getTime() !== end) throw new Error('other bounds');
        for (const moment of [start, start + Math.floor(place * (end - start)), end - 1]) {
          const day = localDay(new Date(moment), zone);
          if (day !== nameOf(index)) throw new Error(`${new Date(moment).toISOString()} is in ${day}`);
        }
      },
    ),
    { numRuns: 200 },
  );
  t.pass();
});
