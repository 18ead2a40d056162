/**
 * A client names speakers on a socket of the running product: before and after the words, after a reconnect, and for some segments. Also
 * tests refused requests. The client sends its own words, so nothing is transcribed.
 */
import t from 'tap';
import type { ServerEvent, Wearable } from '../../../src/app/wearable/wearable.js';
import { serviceOnTestDatabase, type User } from '../../support/service.js';
import { until } from '../../support/until.js';

t.test('a client says who speaks', { timeout: 240_000 }, async (t) => {
  const service = await serviceOnTestDatabase(t, { COCHLEA_STT: 'discard', LAG_BUDGET: '60000' });
  const ann = await service.user('ann');
  const ben = await service.user('ben');

  const connect = async (user: User, source = 'phone'): Promise<Wearable> => {
    const wearable = await service.wearable(user, { source, query: { custom_stt: 'enabled' } });
    await wearable.waitFor(({ status }) => status === 'ready', 60_000);
    return wearable;
  };
  let lines = 0;
  const say = async (wearable: Wearable, speaker_id: number, text = `Line ${lines + 1}.`) => {
    lines++;
    const segment = { text, speaker_id, start: lines * 10, end: lines * 10 + 2 };
    wearable.sendText(JSON.stringify({ type: 'suggested_transcript', segments: [segment] }));
    await until(() => wearable.transcript.segments.some((shown) => shown.text === text), text);
  };
  const assign = (wearable: Wearable, speaker_id: number, person_id: string, more: object = {}): void =>
    wearable.sendText(
      JSON.stringify({ type: 'speaker_assigned', speaker_id, person_id, person_name: '', ...more }),
    );
  const people = async (user: User): Promise<{ id: string; name: string }[]> => {
    const headers = { authorization: `Bearer ${user.token}` };
    return (await fetch(`${service.base}/v1/users/people`, { headers })).json() as never;
  };
  const idOf = async (user: User, name: string): Promise<string> =>
    (await people(user)).find((person) => person.name === name)!.id;
  /** Returns the people shown for the lines of a speaker, in order. */
  const shown = (wearable: Wearable, speaker: number): (string | null)[] =>
    wearable.transcript.segments
      .filter(({ speaker_id }) => speaker_id === speaker)
      .map(({ is_user, person_id }) => (is_user ? 'user' : person_id));
  const shows = (wearable: Wearable, speaker: number, ...wanted: (string | null)[]): Promise<unknown> =>
    until(
      () => JSON.stringify(shown(wearable, speaker)) === JSON.stringify(wanted),
      `speaker ${speaker} is ${wanted.join(', ')}`,
    );

  const first = await connect(ann);

  await t.test('a speaker is named before the first word, and after', async () => {
    assign(first, 1, 'new', { person_name: '  Ada ' });
    await until(async () => (await people(ann)).length === 1, 'the person is added');
    await say(first, 1);
    const ada = await idOf(ann, 'Ada');
    await shows(first, 1, ada);
    await say(first, 2);
    await say(first, 2);
    await shows(first, 2, null, null);
    assign(first, 2, 'user');
    await shows(first, 2, 'user', 'user');
  });

  await t.test('a name that a speaker says is suggested with a person', async (t) => {
    await say(first, 3, "Hello, I'm Cleo.");
    const suggestion = await first.waitFor(({ type }) => type === 'speaker_label_suggestion', 60_000);
    const [segment] = first.transcript.segments.filter(({ speaker_id }) => speaker_id === 3);
    t.same(suggestion, {
      type: 'speaker_label_suggestion',
      speaker_id: 3,
      person_id: await idOf(ann, 'Cleo'),
      person_name: 'Cleo',
      segment_id: segment!.id,
    });
    t.equal(segment!.person_id, null, 'which attributes nothing');
  });

  await t.test('after a reconnect, a speaker is named for all segments and for some', async () => {
    await first.close(1001);
    const resumed = await connect(ann);
    const ada = await idOf(ann, 'Ada');
    await say(resumed, 1);
    await shows(resumed, 1, ada);
    await say(resumed, 2);
    await shows(resumed, 2, 'user');
    const mine = first.transcript.segments.filter(({ speaker_id }) => speaker_id === 2).map(({ id }) => id);
    assign(resumed, 2, ada, { segment_ids: [mine[0]] });
    await until(
      () => resumed.transcript.segments.some(({ id, person_id }) => id === mine[0] && person_id === ada),
      'a segment of before the reconnect comes again with the person',
    );
    assign(resumed, 1, 'user', { segment_ids: [] });
    await until(
      () => shown(resumed, 1).length >= 2 && shown(resumed, 1).every((who) => who === 'user'),
      'a correction reaches all segments of the speaker, earlier ones too',
    );
    await resumed.close(1001);
  });

  await t.test('an invalid assignment is refused and changes nothing', async (t) => {
    const theirs = await idOf(ann, 'Ada');
    const wearable = await connect(ben);
    await say(wearable, 0);
    const [line] = wearable.transcript.segments;
    const ids = (count: number, id: string): string[] => Array.from({ length: count }, () => id);
    const table: readonly (readonly [string, string, object, object])[] = [
      ['nobody', 'nobody', {}, { reason: 'person_unknown' }],
      ['a person of another user', theirs, {}, { reason: 'person_unknown' }],
      ['an id that is too long', 'i'.repeat(257), { person_name: 'Eve' }, { reason: 'person_unknown' }],
      [
        'too many ids',
        'user',
        { segment_ids: ids(1001, line!.id) },
        { reason: 'too_many_segment_ids', limit: 1000 },
      ],
      ['an id that is none', 'user', { segment_ids: [line!.id, 7] }, { reason: 'segment_id_invalid' }],
      [
        'a long id of a segment',
        'user',
        { segment_ids: ids(1, 's'.repeat(65)) },
        { reason: 'segment_id_invalid' },
      ],
      [
        'a long name',
        'new',
        { person_name: 'n'.repeat(101) },
        { reason: 'person_name_too_long', limit: 100 },
      ],
      [
        'a huge name',
        'new',
        { person_name: 'n'.repeat(60_000) },
        { reason: 'person_name_too_long', limit: 100 },
      ],
    ];
    for (const [why, person, more, wanted] of table) {
      const before = wearable.events.length;
      assign(wearable, 0, person, more);
      const refused = (): ServerEvent | undefined =>
        wearable.events.slice(before).find(({ status }) => status === 'message_refused');
      await until(() => refused() !== undefined, why);
      t.match(refused(), { message_type: 'speaker_assigned', ...wanted }, why);
    }
    // These messages break the protocol, so the engine ignores them.
    for (const more of [{ speaker_id: -1 }, { speaker_id: '0' }, { person_name: null }, { person_id: 7 }])
      assign(wearable, 0, 'user', more);
    assign(wearable, 0, 'user', { segment_ids: ['of-another-conversation'], speaker_id: 9 });
    await say(wearable, 0);
    t.same(shown(wearable, 0), [null, null]);
    t.same(await people(ben), []);
    assign(wearable, 0, 'new', { person_name: 'Dora\u0000\ud800' });
    await until(async () => (await people(ben)).length === 1, 'the person is added');
    t.same((await people(ben))[0]!.name, 'Dora\ufffd\ufffd', 'what a database cannot keep is replaced');
    await shows(wearable, 0, (await people(ben))[0]!.id, (await people(ben))[0]!.id);
    await wearable.close();
  });
});
