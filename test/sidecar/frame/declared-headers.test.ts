/** The service refuses an invalid value of a declared header as it refuses an invalid body. */
import t from 'tap';
import { developerScopes } from '../../../src/identity/scopes.js';
import { startApi } from '../support.js';

const path = '/v1/dev/user/memories';
const refusal = (type: string) => ({
  status: 422,
  body: { detail: [{ loc: ['header', 'idempotency-key'], type }] },
});

t.test(
  'an Idempotency-Key is checked after the credential, and an invalid one leaves nothing behind',
  async (t) => {
    const api = await startApi(t);
    const { key } = await api.person(developerScopes, 'Ann');
    const send = (value: string, credential = key, content: unknown = 'Likes tea') =>
      api.call(path, { credential, body: { content }, headers: { 'idempotency-key': value } });
    // With an unknown API key, the service checks the header before it reads the body. With a cached API key, it
    // checks the header together with the handler's work.
    for (const known of [false, true]) {
      t.match(await send('k'.repeat(201)), refusal('string_too_long'), `known: ${known}`);
      t.match(await send(''), refusal('string_too_short'));
      t.match(await send('k'.repeat(201), 'svc_dev_0123456789abcdef0123456789abcdef'), { status: 401 });
      t.match(await send('k'.repeat(201), key, 7), {
        status: 422,
        body: { detail: [{ loc: ['body', 'content'], type: 'string_type' }] },
      });
    }
    const refused = await Promise.all(Array.from({ length: 20 }, () => send('k'.repeat(201))));
    t.ok(refused.every(({ status }) => status === 422));
    const made = await send('k'.repeat(200));
    t.match(made, { status: 200, body: { content: 'Likes tea' } });
    t.same((await send('k'.repeat(200))).body, made.body, 'a valid key returns the same memory');
    t.equal((await api.call(path, { credential: key })).body.length, 1, 'refused requests create nothing');
  },
);

t.test('an invalid Idempotency-Key is refused without waiting for a slot', async (t) => {
  const api = await startApi(t);
  const { key } = await api.person(developerScopes, 'Ann');
  const create = (value: string) =>
    api.call(path, {
      credential: key,
      body: { content: 'Likes tea' },
      headers: { 'idempotency-key': value },
    });
  t.equal((await create('first')).status, 200);
  const others: Promise<unknown>[] = [];
  let answered = 0;
  await api.sql.begin(async (sql) => {
    await sql`lock table memories in exclusive mode`;
    // Sends more requests than may run at once.
    for (let number = 0; number < 6; number++)
      others.push(create(`other ${number}`).finally(() => void answered++));
    t.match(await create('k'.repeat(201)), refusal('string_too_long'));
    t.equal(answered, 0, 'the other requests still wait');
  });
  await Promise.all(others);
  t.equal((await api.call(path, { credential: key })).body.length, 7);
});
