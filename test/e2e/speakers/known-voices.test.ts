/**
 * The running product recognises voices: the wearer's voice from an enrolment, and a second voice from an earlier
 * conversation.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { encodeFrames } from '../../../src/app/wearable/encode.js';
import type { WearableOptions } from '../../../src/app/wearable/options.js';
import type { Wearable } from '../../../src/app/wearable/wearable.js';
import { withoutNative } from '../../audio/support.js';
import { serviceOnTestDatabase, type User } from '../../support/service.js';
import { scene } from '../../support/texts/speech.js';
import { wavFile } from '../../support/texts/wav-file.js';
import { until } from '../../support/until.js';

t.test(
  'known voices are recognised in later conversations',
  { skip: withoutNative, timeout: 240_000 },
  async (t) => {
    // A busy machine must not refuse a stream here.
    const service = await serviceOnTestDatabase(t, {
      LAG_BUDGET: '60000',
      TRANSCRIBER_LAG_BUDGET: '600000',
      // Diarization uses whole utterances.
      INTERIM_WORDS: 'false',
    });
    const folder = await mkdtemp(join(tmpdir(), 'cochlea-known-'));
    t.teardown(() => rm(folder, { recursive: true }));

    const connect = async (user: User, options: Partial<WearableOptions> = {}): Promise<Wearable> => {
      const wearable = await service.wearable(user, options);
      await wearable.waitFor(({ status }) => status === 'ready', 60_000);
      return wearable;
    };
    /** Utterances of the reader, at double speed. */
    const read = async (wearable: Wearable, ...order: readonly number[]): Promise<void> => {
      await wearable.send(encodeFrames(await scene(order), 'opus', 16_000), 2);
    };
    const people = (wearable: Wearable): string[] => [
      ...new Set(
        wearable.transcript.segments.map(
          ({ is_user, person_id, speech_profile_processed }) =>
            `${is_user ? 'user' : (person_id ?? 'no one')}${speech_profile_processed ? ', compared' : ''}`,
        ),
      ),
    ];
    const shows = (wearable: Wearable, ...wanted: readonly string[]): Promise<unknown> =>
      until(
        () => wearable.transcript.segments.length > 0 && people(wearable).join(' ') === wanted.join(' '),
        `the segments show ${wanted.join(', ')}`,
      );
    const request = async (user: User, path: string, body?: object, method = body ? 'PATCH' : 'GET') => {
      const answer = await fetch(service.base + path, {
        method,
        headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return answer.json();
    };

    await t.test('the wearer', async (t) => {
      const ann = await service.user('ann');
      const file = join(folder, 'ann.wav');
      await writeFile(file, wavFile((await scene([0, 1, 2], 300)).pcm));
      const stream = service.base.replace('http', 'ws');
      await service.cochlea('listen', file, '--enrol', '--url', stream, '--token', ann.token);
      const wearable = await connect(ann);
      await read(wearable, 3, 4);
      await shows(wearable, 'user, compared');
      await wearable.close();

      const printed = await service.cochlea(
        ...['listen', file, '--url', stream, '--token', ann.token, '--source', 'desktop', '--pace', '2'],
        ...['--speaker', '0=Ada'],
      );
      t.match(printed, /^-- SPEAKER_00 is the (user|person [0-9a-f-]{36})$/m);
      t.match(await request(ann, '/v1/users/people'), [{ name: 'Ada' }], 'named by the command line');

      const unasked = await connect(ann, { source: 'phone', query: { include_speech_profile: 'false' } });
      await read(unasked, 3);
      await shows(unasked, 'no one');
      await unasked.close();
      t.pass('and is not, where the client turned it off');
    });

    await t.test('a person who was named', async (t) => {
      const ben = await service.user('ben');
      const name = (wearable: Wearable, person_id: string, segment_ids: readonly string[] = []): void => {
        const said = { type: 'speaker_assigned', speaker_id: 0, person_id, person_name: '', segment_ids };
        wearable.sendText(JSON.stringify({ ...said, person_name: person_id === 'new' ? 'Ada' : '' }));
      };
      const first = await connect(ben);
      name(first, 'nobody');
      const refused = await first.waitFor(({ status }) => status === 'message_refused', 60_000);
      t.match(refused, { reason: 'person_unknown' });
      name(
        first,
        'new',
        Array.from({ length: 1001 }, () => 'x'),
      );
      const tooMany = await first.waitFor(({ reason }) => reason === 'too_many_segment_ids', 60_000);
      t.ok(tooMany, 'over the bound nothing is done');
      await read(first, 0, 1);
      await until(() => first.transcript.segments.length > 0, 'words came');
      name(first, 'new');
      await until(
        () => people(first).every((one) => /^[0-9a-f-]{36}$/.test(one)),
        'what was said has the person',
      );
      const [ada] = people(first);
      await first.close(1001);

      const resumed = await connect(ben);
      await read(resumed, 2, 3);
      await shows(resumed, ada!);
      await until(async () => {
        const [person] = (await request(ben, '/v1/users/people')) as { voice_samples: number }[];
        return person?.voice_samples === 1;
      }, 'the voice is learned');
      await resumed.close();

      const later = await connect(ben, { source: 'phone' });
      await read(later, 3, 4);
      const suggested = await later.waitFor(({ type }) => type === 'speaker_label_suggestion', 60_000);
      t.match(suggested, { speaker_id: 0, person_id: ada, person_name: 'Ada' });
      t.ok(later.transcript.segments.some(({ id }) => id === suggested?.segment_id));
      await shows(later, 'no one, compared');
      await later.close();

      const asking = await connect(ben, { source: 'desktop', query: { speaker_auto_assign: 'enabled' } });
      await read(asking, 3, 4);
      await shows(asking, `${ada}, compared`);
      t.notOk(asking.events.some(({ type }) => type === 'speaker_label_suggestion'));
      await asking.close();

      await request(ben, '/v1/users/settings', { voice_recognition: false });
      const off = await connect(ben, { source: 'screenpipe', query: { speaker_auto_assign: 'enabled' } });
      await read(off, 3, 4);
      await shows(off, 'no one');
      await off.close();
      await request(ben, `/v1/users/people/${ada}/voice`, undefined, 'DELETE');
      t.match(await request(ben, '/v1/users/people'), [{ voice_samples: 0 }], 'and is forgotten');
    });
  },
);
