import fc from 'fast-check';
import t from 'tap';
import { conversations, fromSegments, startApi } from '../support.js';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    '\0',
    '\ud800',
    'a\udc00b',
    '🧠'.repeat(400),
    'Meet me tomorrow at 25:99',
    'remind me to \ud83d',
  ),
);
const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -0, 1e308, 2 ** 53, -1));
const anyScalar = fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null));
const anything = fc.oneof(
  anyScalar,
  fc.array(anyScalar, { maxLength: 3 }),
  fc.dictionary(anyText, anyScalar, { maxKeys: 3 }),
);

/** Segments last 1 to 40 s. The service accepts this length even for a few words. */
const validSegment = fc
  .tuple(anyText, fc.double({ min: 0, max: 1000, noNaN: true }), fc.double({ min: 1, max: 40, noNaN: true }))
  .map(([text, start, lasts]) => ({ text, start, end: start + lasts }));
const wildSegment = fc.record(
  {
    text: anything,
    start: anything,
    end: anything,
    speaker: anything,
    speaker_id: anything,
    is_user: anything,
    person_id: anything,
  },
  { requiredKeys: [] },
);
const wildGeolocation = fc.record(
  { latitude: anyScalar, longitude: anyScalar, address: anyScalar, google_place_id: anyScalar },
  { requiredKeys: [] },
);
const strange = {
  source: anything,
  started_at: fc.oneof(
    anything,
    fc.date().map(String),
    fc.constantFrom('2024-13-01', '0000-00-00', 9e15, -9e15),
  ),
  finished_at: anything,
  language: anything,
  geolocation: fc.oneof(anything, wildGeolocation),
  client_session_id: anything,
  session_id: anything,
  client_device_id: anything,
  client_platform: anything,
};
const mild = {
  source: anyText,
  started_at: fc.constantFrom('2024-01-01', 0, 253402300799, '9999-12-31T23:59:59Z', '0001-01-01'),
  language: fc.constantFrom('en', 'pt-BR', 'multi', null),
  geolocation: fc.record({ latitude: anyNumber, longitude: anyNumber, address: anyText }),
  client_session_id: anyText,
  client_device_id: anyText,
  client_platform: anyText,
};

const body = fc.oneof(
  fc.record(
    { transcript_segments: fc.array(validSegment, { minLength: 1, maxLength: 4 }), ...mild },
    { requiredKeys: ['transcript_segments'] },
  ),
  fc.record(
    { transcript_segments: fc.oneof(anything, fc.array(wildSegment, { maxLength: 3 })), ...strange },
    { requiredKeys: [] },
  ),
  anything,
);

t.test('from-segments answers no body with a server error', async (t) => {
  const api = await startApi(t);
  const { key } = await api.person();
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(body, async (given) => {
      const { status, body: answer } = await api.call(fromSegments, {
        credential: key,
        body: JSON.stringify(given) ?? '',
      });
      seen.set(status, (seen.get(status) ?? 0) + 1);
      if (status !== 200 && status !== 422) throw new Error(`answered ${status}: ${JSON.stringify(answer)}`);
      if (status === 422 && !(typeof answer.detail === 'string' || answer.detail.length > 0)) {
        throw new Error(`422 without findings: ${JSON.stringify(answer)}`);
      }
    }),
    { numRuns: 300 },
  );
  t.ok((seen.get(200) ?? 0) > 10, `some were created (${seen.get(200)})`);
  t.ok((seen.get(422) ?? 0) > 10, `some were refused (${seen.get(422)})`);

  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 80 }), async (text) => {
      const { status } = await api.call(fromSegments, { credential: key, body: text });
      if (status !== 422) throw new Error(`answered ${status}`);
    }),
    { numRuns: 50 },
  );
});

t.test('no query, path or credential causes a server error', async (t) => {
  const api = await startApi(t);
  const { key } = await api.person();
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    anyNumber.map(String),
    fc.constantFrom('true', '2024-01-01', '\0'),
  );
  const names = [
    'limit',
    'offset',
    'cursor',
    'start_date',
    'end_date',
    'categories',
    'folder_id',
    'starred',
    'include_transcript',
  ];
  const query = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(query, async (pairs) => {
      const { status } = await api.call(`${conversations}?${new URLSearchParams(pairs)}`, {
        credential: key,
      });
      if (![200, 400, 422].includes(status)) throw new Error(`answered ${status}`);
    }),
    { numRuns: 200 },
  );
  await fc.assert(
    fc.asyncProperty(value, async (text) => {
      const { status } = await api.call(`${conversations}/${encodeURIComponent(text)}`, { credential: key });
      if (status !== 404 && !(status === 200 && /^\.*$/.test(text))) throw new Error(`answered ${status}`);
    }),
    { numRuns: 50 },
  );
  const printable = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  });
  const credential = fc.oneof(
    printable,
    printable.map((text) => `svc_dev_${text}`),
    printable.map((text) => `a.${text}.b`),
  );
  const paths = fc.constantFrom(conversations, '/v1/dev/keys', '/v1/dev/key');
  await fc.assert(
    fc.asyncProperty(paths, credential, async (path, given) => {
      const { status } = await api.call(path, { credential: `${given}x` });
      if (status !== 401) throw new Error(`answered ${status}`);
    }),
    { numRuns: 100 },
  );
});
