import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import { clientDevice } from '../../../src/front/clients/device.js';
import { openRequestOf } from '../../../src/front/streams/open-request.js';
import { parseListenQuery } from '../../../src/front/streams/query.js';
import { conversationSources } from '../../../src/wire/source.js';
import { sourceNames } from '../../support/texts/source-names.js';

t.test('absent parameters have the documented defaults', async (t) => {
  t.same(parseListenQuery(''), {
    uid: null,
    language: 'en',
    sampleRate: 8000,
    codec: 'pcm8',
    channels: 1,
    includeSpeechProfile: true,
    assignSpeakers: false,
    conversationTimeout: 120,
    sttService: null,
    keywords: [],
    customStt: false,
    separateSides: false,
    source: 'svc',
    proposedConversation: null,
    streamClock: null,
    confirms: false,
    clockAt: 0,
    activity: false,
  });
});

const proposed = ['proposedConversation', '0b6f3a52-1c6e-4c8e-9d0f-5a1e2b3c4d5e'] as const;
const accepted: [query: string, field: string, value: unknown][] = [
  ['language=auto', 'language', 'multi'],
  ['language=Auto', 'language', 'multi'],
  ['language=en_US', 'language', 'en-US'],
  ['language=', 'language', 'en'],
  ['language=+', 'language', 'en'],
  ['language=fr', 'language', 'fr'],
  ['sample_rate=16000', 'sampleRate', 16_000],
  ['sample_rate=16000.0', 'sampleRate', 16_000],
  ['sample_rate=16_000', 'sampleRate', 16_000],
  ['sample_rate=%2016000%20', 'sampleRate', 16_000],
  ['sample_rate=-1', 'sampleRate', -1],
  ['sample_rate=8000&sample_rate=48000', 'sampleRate', 48_000],
  ['channels=2', 'channels', 2],
  ['include_speech_profile=off', 'includeSpeechProfile', false],
  ['include_speech_profile=Yes', 'includeSpeechProfile', true],
  ['include_speech_profile=0', 'includeSpeechProfile', false],
  ['speaker_auto_assign=enabled', 'assignSpeakers', true],
  ['speaker_auto_assign=true', 'assignSpeakers', false],
  ['conversation_timeout=-1', 'conversationTimeout', 14_400],
  ['conversation_timeout=-2', 'conversationTimeout', 2],
  ['conversation_timeout=0', 'conversationTimeout', 2],
  ['conversation_timeout=2', 'conversationTimeout', 2],
  ['conversation_timeout=14401', 'conversationTimeout', 14_400],
  ['conversation_timeout=99999999999999999999999', 'conversationTimeout', 14_400],
  ['stt_service=%20Parakeet', 'sttService', 'parakeet'],
  ['stt_service=', 'sttService', null],
  ['keywords=Ada%20Lovelace,%20Okafor,,okafor,', 'keywords', ['Ada Lovelace', 'Okafor']],
  ['keywords=Ada&keywords=Kubernetes,ada', 'keywords', ['Ada', 'Kubernetes']],
  ['keywords=Ada%00Love%09%0alace', 'keywords', ['Ada Love lace']],
  ['keywords=', 'keywords', []],
  ['stereo=separate', 'separateSides', true],
  ['stereo=both', 'separateSides', false],
  ['custom_stt=enabled', 'customStt', true],
  ['custom_stt=true', 'customStt', false],
  ['custom_stt=Enabled', 'customStt', false],
  ['source=openglass', 'source', 'openglass'],
  ['source=omi', 'source', 'svc'],
  ['source=APPLE_WATCH', 'source', 'vendor_watch'],
  ['source=toaster', 'source', 'svc'],
  ['source=', 'source', 'svc'],
  ['client_conversation_id=0b6f3a52-1c6e-4c8e-9d0f-5a1e2b3c4d5e', ...proposed],
  ['client_conversation_id=%20%090B6F3A52-1C6E-4C8E-9D0F-5A1E2B3C4D5E%0a', ...proposed],
  ['client_conversation_id=urn:uuid:0b6f3a52-1c6e-4c8e-9d0f-5a1e2b3c4d5e', 'proposedConversation', null],
  ['client_conversation_id=0b6f3a521c6e4c8e9d0f5a1e2b3c4d5e', 'proposedConversation', null],
  ['client_conversation_id=0b6f3a52-1c6e-4c8e-9d0f-5a1e2b3c4d5e/..', 'proposedConversation', null],
  ['client_conversation_id=00000000-0000-0000-0000-000000000000', 'proposedConversation', null],
  ['client_conversation_id=FFFFFFFF-ffff-ffff-ffff-ffffffffffff', 'proposedConversation', null],
  ['client_conversation_id=', 'proposedConversation', null],
  ['client_conversation_id=null', 'proposedConversation', null],
  ['stream_clock=Rec-1_a', 'streamClock', 'Rec-1_a'],
  [`stream_clock=${'a'.repeat(64)}`, 'streamClock', 'a'.repeat(64)],
  ['confirm=1', 'confirms', true],
  ['confirm=true', 'confirms', false],
  ['clock_at=93120', 'clockAt', 93_120],
  ['activity=true', 'activity', true],
  ['activity=1', 'activity', true],
  ['activity=false', 'activity', false],
  ['clock_at=1000000000000', 'clockAt', 1_000_000_000_000],
  ['codec=nonsense', 'codec', 'nonsense'],
  ['uid=a%2Fb%20c', 'uid', 'a/b c'],
  ['unknown=1&__proto__=2&language=de', 'language', 'de'],
];
for (const [query, field, value] of accepted) {
  t.test(`reads ${query}`, async (t) => {
    t.strictSame(parseListenQuery(query)[field as keyof ReturnType<typeof parseListenQuery>], value);
  });
}

t.test('every field has a case, and its parameter is documented in docs/protocol.md', async (t) => {
  const page = readFileSync(join(packageDirectory(), 'docs', 'protocol.md'), 'utf8');
  for (const field of Object.keys(parseListenQuery(''))) {
    const cases = accepted.filter(([, read]) => read === field);
    if (!t.ok(cases.length > 0, `${field} has a case`)) continue;
    const [parameter] = cases[0]![0].split('=');
    t.match(page, new RegExp(`^\\| \`${parameter}\` \\|`, 'm'), `${parameter} is in the table`);
  }
});

/** Fields that reach the shard in a different representation: the user of the token, and the format. */
const elsewhere = new Set(['uid', 'sampleRate', 'codec', 'channels']);

t.test('passes every other field to the shard', async (t) => {
  const query = parseListenQuery('');
  for (const field of Object.keys(query).filter((name) => !elsewhere.has(name))) {
    const caller = { query: { ...query, [field]: 'the value' }, device: {} } as never;
    const request = openRequestOf(caller, {} as never, 'stream');
    t.ok(Object.values(request).includes('the value'), field);
  }
});

t.test('keeps every known source', async (t) => {
  for (const source of sourceNames) t.equal(parseListenQuery(`source=${source}`).source, source);
});

const refused: [query: string, name: string][] = [
  ['stream_clock=', 'stream_clock'],
  ['stream_clock=a%20b', 'stream_clock'],
  [`stream_clock=${'a'.repeat(65)}`, 'stream_clock'],
  ['clock_at=', 'clock_at'],
  ['activity=', 'activity'],
  ['activity=yess', 'activity'],
  ['activity=2', 'activity'],
  ['clock_at=-1', 'clock_at'],
  ['clock_at=1.5', 'clock_at'],
  ['clock_at=1000000000001', 'clock_at'],
  ['clock_at=Infinity', 'clock_at'],
  ['sample_rate=abc', 'sample_rate'],
  ['sample_rate=', 'sample_rate'],
  ['sample_rate=16000.5', 'sample_rate'],
  ['sample_rate=1e4', 'sample_rate'],
  ['sample_rate=0x10', 'sample_rate'],
  ['sample_rate=NaN', 'sample_rate'],
  ['channels=two', 'channels'],
  ['channels=1.1', 'channels'],
  ['conversation_timeout=never', 'conversation_timeout'],
  ['include_speech_profile=maybe', 'include_speech_profile'],
  ['include_speech_profile=', 'include_speech_profile'],
  ['uid=', 'uid'],
  ['uid=a%00b', 'uid'],
  ['uid=a&language=e%00n', 'language'],
  [`language=${'x'.repeat(300)}`, 'language'],
  [`keywords=${'x'.repeat(51)}`, 'keywords'],
  [`keywords=${'x,'.repeat(100)}x`, 'keywords'],
  [`keywords=${'x,'.repeat(50)}x&keywords=${'y,'.repeat(50)}`, 'keywords'],
];
for (const [query, name] of refused) {
  t.test(`refuses ${query.slice(0, 40)}`, async (t) => {
    t.throws(() => parseListenQuery(query), { code: 'query_invalid', details: { name } });
  });
}

t.test('reads any query within limits or refuses it', async () => {
  const names = [
    'uid',
    'language',
    'sample_rate',
    'codec',
    'channels',
    'conversation_timeout',
    'source',
    'keywords',
    'x',
  ];
  const pair = fc.tuple(
    fc.constantFrom(...names),
    fc.oneof(fc.string({ unit: 'binary' }), fc.integer().map(String)),
  );
  const anyQuery = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(pair)
      .map((pairs) =>
        pairs
          .map(([name, value]) => `${name}=${encodeURIComponent(Buffer.from(value).toString())}`)
          .join('&'),
      ),
  );
  fc.assert(
    fc.property(anyQuery, (query) => {
      try {
        const parsed = parseListenQuery(query);
        return (
          parsed.conversationTimeout >= 2 &&
          parsed.conversationTimeout <= 14_400 &&
          Number.isSafeInteger(parsed.sampleRate) &&
          Number.isSafeInteger(parsed.channels) &&
          conversationSources.includes(parsed.source) &&
          parsed.keywords.length <= 100 &&
          (parsed.uid === null || parsed.uid.length <= 256)
        );
      } catch (error) {
        return error instanceof CochleaError && error.code === 'query_invalid';
      }
    }),
    { numRuns: 2000 },
  );
});

const devices: [
  platform: string,
  hash: string,
  expected: { platform: string | null; deviceId: string | null },
][] = [
  ['iOS', 'ABCD1234', { platform: 'ios', deviceId: 'ios_abcd1234' }],
  [' android ', '0f', { platform: 'android', deviceId: 'android_0f' }],
  ['ios', '', { platform: 'ios', deviceId: null }],
  ['ios', 'default', { platform: 'ios', deviceId: null }],
  ['', 'abcd', { platform: null, deviceId: null }],
  ['a b', 'abcd', { platform: null, deviceId: null }],
  ['ios', 'x'.repeat(65), { platform: 'ios', deviceId: null }],
  ['ios', '../../..', { platform: 'ios', deviceId: null }],
];
for (const [platform, hash, expected] of devices) {
  t.test(`device ${platform} ${hash.slice(0, 12)}`, async (t) => {
    t.same(clientDevice(platform, hash), expected);
  });
}
