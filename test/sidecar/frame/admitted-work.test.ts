/**
 * Tests requests whose key check, rate limit and work are one SQL statement. The statement can also refuse a request.
 */
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { revokeApiKey } from '../../../src/identity/api-keys.js';
import type { DeveloperScope } from '../../../src/identity/scopes.js';
import {
  type Answer,
  type Api,
  conversations,
  fromSegments,
  type Person,
  said,
  startApi,
} from '../support.js';

const memories = '/v1/dev/user/memories';
const scopes: readonly DeveloperScope[] = [
  'conversations:read',
  'conversations:write',
  'memories:read',
  'memories:write',
];
const remaining = ({ headers }: Answer): number => Number(headers.get('x-ratelimit-remaining'));

interface Client extends Person {
  create(body?: unknown): Promise<Answer>;
  read(): Promise<Answer>;
  list(query?: string): Promise<Answer>;
  stored(): Promise<number>;
  used(policy: string): Promise<number>;
}

/** Makes a user whose key is cached, so that the following requests use the one statement. */
const client = async (api: Api): Promise<Client> => {
  const person = await api.person(scopes);
  const { key: credential, uid } = person;
  const body = {
    transcript_segments: [said('We plant the beans tomorrow.')],
    source: 'phone',
    language: 'en',
  };
  const { id } = (await api.call(fromSegments, { credential, body })).body;
  return {
    ...person,
    create: (body = { content: 'Takes the early train' }) => api.call(memories, { credential, body }),
    read: () => api.call(`${conversations}/${id}?include_transcript=true`, { credential }),
    list: (query = '') => api.call(`${conversations}${query}`, { credential }),
    async stored() {
      const [row] = await api.sql`select count(*)::int as count from memories where uid = ${uid}`;
      return row!.count;
    },
    async used(policy) {
      const [row] =
        await api.sql`select used from rate_windows where subject = ${uid} and policy = ${policy}`;
      return row?.used ?? 0;
    },
  };
};

const refusals: readonly {
  readonly title: string;
  readonly status: number;
  readonly change: (api: Api, client: Client) => PromiseLike<unknown>;
}[] = [
  {
    title: 'a revoked key',
    status: 401,
    async change({ sql }, { uid }) {
      const [key] = await sql`select id from api_keys where uid = ${uid}`;
      await revokeApiKey(sql, uid, key!.id);
    },
  },
  {
    title: 'a key with a new secret',
    status: 401,
    change: ({ sql }, { uid }) => sql`update api_keys set hashed_key = ${randomUUID()} where uid = ${uid}`,
  },
  {
    title: 'a key without its former scopes',
    status: 403,
    change: ({ sql }, { uid }) => sql`update api_keys set scopes = '{}' where uid = ${uid}`,
  },
  {
    title: 'the key of an account that is being deleted',
    status: 403,
    change: ({ sql }, { uid }) => sql`update users set deleting_at = now() where uid = ${uid}`,
  },
  {
    title: 'a used-up rate limit',
    status: 429,
    change: ({ sql }, { uid }) => sql`update rate_windows set used = 1000000 where subject = ${uid}`,
  },
];

t.test('requests that one SQL statement checks and answers', async (t: Test) => {
  const api = await startApi(t, { RATE_LIMIT_BOOST: '1' });

  for (const { title, status, change } of refusals) {
    t.test(`${title}: ${status}`, async (t) => {
      const asking = await client(api);
      t.equal((await asking.create()).status, 200);
      t.equal((await asking.read()).status, 200);
      t.equal((await asking.list()).status, 200);
      await change(api, asking);
      t.equal((await asking.create()).status, status);
      t.equal((await asking.create({ content: 7 })).status, status, 'refused before the body is checked');
      t.equal((await asking.create('{')).status, status);
      t.equal((await asking.read()).status, status);
      for (const query of ['', '?cursor=none', '?offset=5000']) {
        const listed = await asking.list(query);
        t.equal(listed.status, status, query);
        t.notOk(Array.isArray(listed.body), 'nothing is listed');
      }
      t.equal(await asking.stored(), 1, 'nothing is stored');
    });
  }

  t.test('an invalid request counts against the rate limit', async (t) => {
    const asking = await client(api);
    const before = remaining(await asking.create());
    for (const [index, body] of [{ content: '' }, {}, '{'].entries()) {
      const answer = await asking.create(body);
      t.equal(answer.status, 422);
      t.equal(remaining(answer), before - index - 1);
    }
    t.equal(remaining(await asking.create()), before - 4);
    t.equal(await asking.stored(), 2);
  });

  t.test('a read by id counts whether the conversation exists or not', async (t) => {
    const asking = await client(api);
    const found = await asking.read();
    t.equal(found.body.transcript_segments.length, 1);
    const other = await client(api);
    const answer = await api.call(`${conversations}/${found.body.id}`, { credential: other.key });
    t.equal(answer.status, 404, "another user's conversation");
    const unknown = await api.call(`${conversations}/nothing`, { credential: other.key });
    t.equal(unknown.status, 404, 'an id that is not a UUID');
    t.equal(await other.used('dev:conversation_detail_read'), 2);
  });

  t.test('each page counts once for every combination of parameters', async (t) => {
    const asking = await client(api);
    const queries = [
      '',
      '?limit=1',
      '?offset=1000',
      '?offset=1001',
      '?include_transcript=true',
      '?starred=false',
    ];
    for (const query of queries) t.equal((await asking.list(query)).status, 200);
    t.equal((await asking.list('?cursor=none')).status, 422);
    t.equal(await asking.used('dev:conversations_read'), queries.length + 1);
    t.equal((await asking.list()).body.length, 1);
    const other = await client(api);
    t.notSame((await other.list()).body[0].id, (await asking.list()).body[0].id);
  });

  t.test('simultaneous requests store exactly as many records as the rate limit allows', async (t) => {
    const asking = await client(api);
    await asking.create();
    const answers = await Promise.all(Array.from({ length: 140 }, () => asking.create()));
    const admitted = answers.filter(({ status }) => status === 200);
    t.equal(admitted.length, 119);
    t.equal(answers.filter(({ status }) => status === 429).length, 21);
    t.equal(new Set(admitted.map(remaining)).size, 119, 'each answer has another remaining number');
    t.equal(await asking.stored(), 120);
  });

  t.test('a failed statement stores and counts nothing, and the request runs without it', async (t) => {
    const asking = await client(api);
    await asking.create();
    await api.sql.unsafe(`
      create sequence attempts;
      create function fail_first() returns trigger language plpgsql as $$
        begin if nextval('attempts') = 1 then raise exception 'first'; end if; return new; end $$;
      create trigger fail_first before insert on memories for each row execute function fail_first()`);
    t.teardown(() => api.sql`drop function fail_first cascade`);
    const before = await asking.used('dev:memories');
    t.equal((await asking.create()).status, 200);
    t.equal(await asking.stored(), 2);
    t.equal(await asking.used('dev:memories'), before + 1);
    await api.sql`select setval('attempts', 1, false)`;
    t.equal((await asking.create()).status, 200);
  });
});
