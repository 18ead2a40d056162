/**
 * Tests the splitting and merging of conversations at the console: which records move, and which requests are refused.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { consoleHeaders, consoleSession, conversations, fromSegments, said, startApi } from '../support.js';

t.test('split and merged conversations', async (t) => {
  const api = await startApi(t);
  const { sql } = api;
  const [ann, eve] = [await api.person(), await api.person()];
  const headersOf = async (uid: string) => consoleHeaders(api, await consoleSession(sql, uid));
  const [headers, foreign] = [await headersOf(ann.uid), await headersOf(eve.uid)];
  const made = async (texts: readonly string[], hour: number, more: object = {}): Promise<string> => {
    const transcript_segments = texts.map((text, at) =>
      said(text, at * 10, at * 10 + 8, { speaker: `SPEAKER_0${at % 2}`, speaker_id: at % 2, ...more }),
    );
    const started_at = `2026-03-02T${String(hour).padStart(2, '0')}:00:00Z`;
    const { body } = await api.call(fromSegments, {
      credential: ann.key,
      body: { transcript_segments, started_at },
    });
    return body.id as string;
  };
  const read = async (id: string) =>
    (await api.call(`/console/api/conversations/${id}/segments`, { headers })).body;
  const documentOf = async (id: string) =>
    (await api.call(`${conversations}/${id}?include_transcript=true`, { credential: ann.key })).body;
  const split = (id: string, segment_id: string, as = headers) =>
    api.call(`/console/api/conversations/${id}/split`, { headers: as, body: { segment_id } });
  const merge = (ids: readonly string[], as = headers) =>
    api.call('/console/api/conversations/merge', { headers: as, body: { ids } });
  const listed = async (): Promise<string[]> =>
    (await api.call('/console/api/conversations?limit=100', { headers })).body.map(
      ({ id }: { id: string }) => id,
    );

  await t.test('readers see both parts of a split, and one conversation after a merge', async (t) => {
    const id = await made(['Hello there.', 'Good morning.', 'Remind me to call Bob.', 'Sure.'], 9);
    const segments = await read(id);
    const { status, body } = await split(id.toUpperCase(), segments[2].id);
    t.equal(status, 200);
    const [first, second] = [await documentOf(id), await documentOf(body.id)];
    const textsOf = ({ transcript_segments }: { transcript_segments: { text: string }[] }) =>
      transcript_segments.map(({ text }) => text);
    t.same(textsOf(first), ['Hello there.', 'Good morning.']);
    t.same(textsOf(second), ['Remind me to call Bob.', 'Sure.']);
    t.match(first, { started_at: '2026-03-02T09:00:00Z', finished_at: '2026-03-02T09:00:18Z' });
    t.match(second, { started_at: '2026-03-02T09:00:20Z', status: 'completed', source: first.source });
    t.match(second.transcript_segments, [{ start: 0 }, { start: 10 }]);
    t.match(second.structured, { title: /^Part of / });
    const steps = await sql`
      select key, step, state from steps where key in ${sql([id, body.id])} and step in ('structure', 'goal_progress')
        order by step, key = ${body.id}`;
    t.match(
      steps.filter(({ step }) => step === 'structure'),
      [{ state: 'waiting' }, { state: 'waiting' }],
    );
    t.match(
      steps.filter(({ step, key }) => step === 'goal_progress' && key === body.id),
      [{ state: 'done' }],
      'progress of goals is not counted twice',
    );
    const merged = await merge([body.id, id]);
    t.match([merged.status, merged.body], [200, { id }]);
    const again = await documentOf(id);
    t.same(
      again.transcript_segments.map(({ text, speaker_id, start }: Record<string, unknown>) => [
        text,
        speaker_id,
        start,
      ]),
      segments.map(({ text, speaker_id, start }: Record<string, unknown>) => [text, speaker_id, start]),
      'speakers keep their numbers',
    );
    t.notOk((await listed()).includes(body.id));
    t.equal((await split(id, segments[2].id)).status, 200, 'it can be split again');
  });

  await t.test('a split and a merge are undone, once and by their user only', async (t) => {
    const undo = (undo: unknown, as = headers) =>
      api.call('/console/api/conversations/undo', { headers: as, body: { undo } });
    const [id, other] = [await made(['One.', 'Two.'], 21), await made(['Three.'], 22)];
    const before = [await documentOf(id), await documentOf(other)];
    const [, second] = await read(id);
    const parted = (await split(id, second.id)).body;
    t.equal((await undo(parted.undo, foreign)).status, 404);
    t.match(await undo(parted.undo), { status: 200, body: { id, ids: [id] } });
    t.match(await undo(parted.undo), { status: 404, body: { detail: /can no longer be undone/ } });
    const merged = (await merge([id, other])).body;
    t.match(await undo(merged.undo), { status: 200, body: { id, ids: [id, other] } });
    for (const [at, document] of [await documentOf(id), await documentOf(other)].entries())
      t.same({ ...document, updated_at: null }, { ...before[at], updated_at: null });
    const again = (await merge([id, other])).body;
    await api.call(`/console/api/conversations/${id}`, { method: 'PATCH', headers, body: { title: 'New' } });
    t.match(await undo(again.undo), {
      status: 409,
      body: { detail: /a title, a star or a folder was changed/ },
    });
    for (const wrong of ['nonsense', '', 'a\0b']) t.equal((await undo(wrong)).status, 404);
    t.equal((await undo('x'.repeat(101))).status, 422);
    t.equal((await undo(null)).status, 422);
  });

  await t.test('speakers of unrelated conversations get new numbers, except for known people', async (t) => {
    const [one, other] = [await made(['A one.', 'A two.'], 10), await made(['B one.', 'B two.'], 11)];
    for (const [id, speaker_id] of [
      [one, 1],
      [other, 0],
    ] as const)
      await api.call(`/console/api/conversations/${id}/speakers`, {
        headers,
        body: { speaker_id, person: { name: 'Carl' } },
      });
    t.equal((await merge([one, other])).status, 200);
    t.match(await read(one), [
      { text: 'A one.', speaker_id: 0, start: 0 },
      { text: 'A two.', speaker_id: 1, speaker_name: 'Carl' },
      { text: 'B one.', speaker_id: 1, speaker_name: 'Carl', start: 3600 },
      { text: 'B two.', speaker_id: 2, speaker_name: 'Speaker 2', start: 3610 },
    ]);
  });

  await t.test('a merged conversation is deleted with all its words', async (t) => {
    const [one, other] = [await made(['Secret one.'], 12), await made(['Secret two.'], 13)];
    await merge([one, other]);
    await api.call(`${conversations}/${one}`, { method: 'DELETE', credential: ann.key });
    const left = await sql`select text from segments where conversation_id in ${sql([one, other])}`;
    t.same([...left], []);
  });

  await t.test('a page that still shows a merged conversation changes nothing', async (t) => {
    const [kept, gone, later] = [
      await made(['Kept words.', 'More.'], 18),
      await made(['Merged words.', 'More.'], 19),
      await made(['Later words.', 'More.'], 20),
    ];
    const [segment] = await read(gone);
    await merge([kept, gone]);
    t.equal((await merge([gone, later])).status, 404, 'the later one would be hidden in it');
    t.equal((await merge([kept, gone])).status, 404);
    t.equal((await split(gone, segment.id)).status, 404);
    for (const [action, more] of Object.entries({ delete: {}, star: { starred: true } }))
      t.match(
        await api.call('/console/api/conversations/batch', {
          headers,
          body: { ids: [gone], action, ...more },
        }),
        { status: 200, body: [{ id: gone, result: 'absent' }] },
      );
    const [path, method] = [`/console/api/conversations/${gone}`, 'DELETE'];
    t.equal((await api.call(path, { method, headers })).status, 404, 'its words are not deleted');
    t.equal((await api.call(path, { method: 'PATCH', headers, body: { title: 'Back' } })).status, 404);
    await api.call(`/console/api/conversations/${kept}`, { method, headers });
    t.match(await read(later), [{ text: 'Later words.' }, { text: 'More.' }], 'a deletion leaves it');
    t.ok((await listed()).includes(later));
  });

  await t.test('star and folder stay', async (t) => {
    const [one, other] = [await made(['Day one.'], 14), await made(['Day two.'], 15)];
    const folder = await api.call('/console/api/folders', { headers, body: { name: 'Garden' } });
    await sql`update conversations set folder_id = null where id in ${sql([one, other])}`;
    await api.call(`/console/api/conversations/${other}`, {
      method: 'PATCH',
      headers,
      body: { starred: true, folder_id: folder.body.id },
    });
    await merge([one, other]);
    t.match(await documentOf(one), { starred: true, folder_name: 'Garden' });
  });

  await t.test('refused requests change nothing', async (t) => {
    const [one, other] = [await made(['Big one.', 'Two.'], 16), await made(['Big two.', 'Two.'], 17)];
    const [first, second] = await read(one);
    t.equal((await split(one, first.id)).status, 422, 'nothing is before the first segment');
    t.equal((await split(one, 'unknown')).status, 404);
    t.equal((await split(one, 'a\0b')).status, 404);
    t.equal((await split(one, second.id, foreign)).status, 404);
    t.equal((await split('nonsense', second.id)).status, 404);
    t.equal((await merge([one, other], foreign)).status, 404);
    t.equal((await merge([one, randomUUID()])).status, 404);
    t.equal((await merge([one, one.toUpperCase()])).status, 422, 'both are the same');
    t.equal((await merge([one])).status, 422);
    t.equal((await merge(Array.from({ length: 11 }, () => randomUUID()))).status, 422);
    const text = await api.call(conversations, {
      credential: ann.key,
      body: { text: 'We meet at noon. Bring tea.' },
    });
    const refused = await merge([one, text.body.id as string]);
    t.match(refused, { status: 409, body: { detail: /created from one text/ } });
    await sql`update segments set text = repeat('x', 1048600) where conversation_id in ${sql([one, other])} and position = 1`;
    t.match(await merge([one, other]), { status: 409, body: { detail: /at most 2097152 characters/ } });
    await sql`update conversations set status = 'processing' where id = ${other}`;
    t.equal((await merge([one, other])).status, 409);
    await sql`update conversations set status = 'completed', is_locked = true where id = ${other}`;
    t.equal((await merge([one, other])).status, 402);
    t.match(await read(one), [{ text: 'Big one.' }, { id: second.id }]);
    t.ok((await listed()).includes(one));
  });
});
