/** Tests exports of the console over HTTP: files of one conversation, and all records as lines of JSON. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { parse } from '@plussub/srt-vtt-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import t from 'tap';
import { developerScopes } from '../../../src/identity/scopes.js';
import { hostileTexts } from '../../support/texts/hostile-texts.js';
import { until } from '../../support/until.js';
import { type Api, consoleHeaders, consoleSession, fromSegments, said, startApi } from '../support.js';
import { makeConversations, makeSegments, sessionOf } from './export-support.js';

const formats = ['txt', 'md', 'srt', 'vtt', 'json'] as const;

interface Line {
  readonly type: string;
  readonly after: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the records that it reads
  readonly record: any;
}

const linesOf = (text: string): Line[] => {
  assert.ok(text === '' || text.endsWith('\n'));
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
};

const conversationOf = async (api: Api, key: string, texts: readonly string[]): Promise<string> => {
  const segments = texts.map((text, at) => said(text, at * 3, at * 3 + 2, { speaker: `Guest ${at % 3}` }));
  const { body } = await api.call(fromSegments, { credential: key, body: { transcript_segments: segments } });
  return body.id;
};

t.test('a conversation as a file', async (t) => {
  const api = await startApi(t);
  const { uid, key } = await api.person(developerScopes);
  const read = await sessionOf(api, uid);
  const id = await conversationOf(api, key, hostileTexts);
  await api.sql`update conversations set title_by_user = 'Gärten & <b>', structured = jsonb_set(structured, '{title}', '"Gärten & <b>"') where id = ${id}`;
  const stored = (await (await read(`conversations/${id}?include_transcript=true`)).json()) as {
    transcript_segments: { text: string; start: number; end: number; speaker_name: string }[];
    created_at: string;
  };
  const day = stored.created_at.slice(0, 10);

  await t.test('is an attachment with a type that browsers do not guess', async (t) => {
    for (const format of formats) {
      const answer = await read(`conversations/${id}/export?format=${format}`);
      t.equal(answer.status, 200);
      await answer.arrayBuffer();
      t.equal(answer.headers.get('x-content-type-options'), 'nosniff');
      t.equal(answer.headers.get('cache-control'), 'no-store');
      t.equal(
        answer.headers.get('content-disposition'),
        `attachment; filename="${day} Garten & b.${format}"; filename*=UTF-8''${day}%20G%C3%A4rten%20%26%20b.${format}`,
      );
    }
  });

  await t.test('JSON fits its published schema, and is what the interface returns', async (t) => {
    const exported = await (await read(`conversations/${id}/export?format=json`)).json();
    t.same(exported, stored);
    // biome-ignore lint/suspicious/noExplicitAny: a description of an interface
    const described = (await (await read('openapi.json')).json()) as any;
    const { schema } =
      described.paths['/console/api/conversations/{id}/export'].get.responses['200'].content[
        'application/json'
      ];
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const validate = ajv.compile({ ...schema, components: described.components });
    t.ok(validate(exported), JSON.stringify(validate.errors));
    t.notOk(validate({ ...(exported as object), transcript_segments: [{ text: 1 }] }));
  });

  await t.test('subtitles have the times of every segment', async (t) => {
    for (const format of ['srt', 'vtt']) {
      const text = await (await read(`conversations/${id}/export?format=${format}`)).text();
      const { entries } = parse(text) as { entries: { from: number; to: number; text: string }[] };
      const firsts = new Set(entries.map(({ from }) => from));
      const lasts = new Set(entries.map(({ to }) => to));
      t.ok(stored.transcript_segments.every(({ start }) => firsts.has(start * 1000)));
      t.ok(stored.transcript_segments.every(({ end }) => lasts.has(end * 1000)));
      t.match(entries[0]!.text, format === 'vtt' ? /^<v Guest 0>/ : /^Guest 0:\s/);
    }
  });

  await t.test('without words it is a valid empty file', async (t) => {
    await api.sql`update segments set deleted = true where conversation_id = ${id}`;
    const texts = new Map<string, string>();
    for (const format of formats) {
      texts.set(format, await (await read(`conversations/${id}/export?format=${format}`)).text());
    }
    t.equal(texts.get('srt'), '');
    t.equal(texts.get('vtt'), 'WEBVTT\n');
    t.match(texts.get('txt'), /^Gärten & <b>\n/);
    t.match(texts.get('md'), /^# Gärten \\& \\<b\\>\n/);
    t.same(JSON.parse(texts.get('json')!).transcript_segments, []);
  });

  await t.test(
    'of other users, deleted and locked ones do not exist; other formats are refused',
    async (t) => {
      const other = await api.person(developerScopes);
      const foreign = await conversationOf(api, other.key, ['Mine.']);
      const own = await conversationOf(api, key, ['Ours.']);
      for (const wrong of [foreign, 'no-uuid', '8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55']) {
        t.equal((await read(`conversations/${wrong}/export?format=txt`)).status, 404);
      }
      await api.sql`update conversations set is_locked = true where id = ${own}`;
      t.equal((await read(`conversations/${own}/export?format=json`)).status, 404);
      for (const format of ['pdf', '', 'TXT', '../txt'])
        t.equal((await read(`conversations/${id}/export?format=${format}`)).status, 422);
      t.equal((await read(`conversations/${id}/export`)).status, 422);
    },
  );
});

t.test('a conversation of 50,000 segments is written in slices', async (t) => {
  const api = await startApi(t);
  const { uid, key } = await api.person(developerScopes);
  const read = await sessionOf(api, uid);
  const id = await conversationOf(api, key, ['The first words.']);
  await makeSegments(api.sql, id, 50_000);
  for (const format of ['txt', 'vtt', 'json']) {
    let turns = 0;
    let running = true;
    const count = (): void => {
      turns++;
      if (running) setImmediate(count);
    };
    setImmediate(count);
    const text = await (await read(`conversations/${id}/export?format=${format}`)).text();
    running = false;
    const found = text.match(/Sentence number \d+ of/g) ?? [];
    t.equal(new Set(found).size, 50_000, format);
    // A piece has at most 500 segments, and other work of the thread runs between the pieces.
    t.ok(turns > 100, `${format}: ${turns} turns of the event loop`);
  }
});

t.test('everything as lines of JSON', async (t) => {
  const api = await startApi(t);
  const { uid, key } = await api.person(developerScopes);
  const read = await sessionOf(api, uid);
  const everything = async (after?: string): Promise<Line[]> =>
    linesOf(await (await read(after === undefined ? 'export' : `export?after=${after}`)).text());

  t.same(
    (await everything()).map(({ type }) => type),
    ['end'],
    'a user without records',
  );

  await makeConversations(api.sql, uid, 230);
  const long = await conversationOf(api, key, ['A line\nbreak, "quoted" \\n.']);
  await makeSegments(api.sql, long, 3000);
  const removed = await conversationOf(api, key, ['Gone.']);
  await api.call(`/v1/dev/user/conversations/${removed}`, { method: 'DELETE', credential: key });
  const { token } = await api.person(developerScopes);
  await api.call('/v1/users/people', { credential: token, body: { name: 'Not mine' } });
  await api.sql`insert into people (id, uid, name, created_at, updated_at)
    select gen_random_uuid(), ${uid}, 'Person ' || n, now(), now() from generate_series(1, 130) n`;
  for (let at = 0; at < 35; at++)
    await api.call('/v1/dev/user/memories', { credential: key, body: { content: `Memory ${at}` } });
  for (let at = 0; at < 3; at++) {
    await api.call('/v1/dev/user/action-items', { credential: key, body: { description: `Task ${at}` } });
    await api.call('/v1/dev/user/goals', {
      credential: key,
      body: { title: `Goal ${at}`, goal_type: 'numeric', target_value: 20 },
    });
  }
  await (await read('folders')).arrayBuffer();
  const all = await everything();

  await t.test('has every record once, by kind', async (t) => {
    const counts = new Map<string, number>();
    for (const { type } of all) counts.set(type, (counts.get(type) ?? 0) + 1);
    t.same(
      [...counts],
      [
        ['conversation', 231],
        ['person', 130],
        ['memory', 35],
        ['task', 3],
        ['goal', 3],
        ['folder', 3],
        ['end', 1],
      ],
    );
    const records = all.slice(0, -1).map(({ record }) => record.id as string);
    t.equal(new Set(records).size, records.length);
    const line = all.find(({ record }) => record.id === long)!;
    t.equal(line.record.transcript_segments.length, 3001);
    const plain = await (await read(`conversations/${long}?include_transcript=true`)).json();
    t.same(line.record, plain);
    t.notOk(JSON.stringify(all).includes('Not mine'));
  });

  await t.test('continues behind any line', async (t) => {
    const ids = (lines: readonly Line[]): string[] => lines.map(({ type, record }) => record?.id ?? type);
    const places = [0, 1, 99, 100, 229, 230, 231, 232, 330, 331, 360, 361, 391, 395, 398, 404, 405];
    for (const at of places) {
      const rest = await everything(all[at]!.after);
      t.same(ids(rest), ids(all.slice(at + 1)), `behind line ${at}`);
    }
    for (const wrong of [
      'x',
      'W10',
      Buffer.from('["export",["conversation","x","y"]]').toString('base64url'),
    ]) {
      const refused = await read(`export?after=${wrong}`);
      t.equal(refused.status, 422);
      t.match(await refused.json(), { detail: [{ loc: ['query', 'after'] }] });
    }
  });

  await t.test('is read once at a time by a user, and a slow reader holds no connection', async (t) => {
    const headers = consoleHeaders(api, await consoleSession(api.sql, uid));
    await makeConversations(api.sql, uid, 20_000);
    const slow = request(`${api.base}/console/api/export`, { headers });
    const answered = new Promise<void>((resolve) => {
      slow.on('response', (answer) => {
        answer.pause();
        resolve();
      });
    });
    slow.on('error', () => undefined);
    slow.end();
    await answered;
    const refused = await read('export');
    t.equal(refused.status, 429);
    t.match(await refused.json(), { detail: "Another export of this user's data is in progress" });
    t.equal((await (await sessionOf(api, (await api.person()).uid))('export')).status, 200, 'another user');
    await until(async () => {
      const busy = await api.sql`
        select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          and (state like 'idle in transaction%' or state = 'active' and query like '%conversations%')`;
      return busy.length === 0;
    }, 'no connection is used while the reader waits');
    slow.destroy();
    await until(async () => {
      const answer = await read(`export?after=${all.at(-2)!.after}`);
      await answer.text();
      return answer.status === 200;
    }, 'the export that was given up has ended');
  });
});
