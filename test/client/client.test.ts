/** Tests the client that is generated from the API description, against a running server. */
import t from 'tap';
import { createApiClient, type Schemas } from '../../src/client/api-client.js';
import { startApi } from '../sidecar/support.js';

t.test('the generated client', async (t) => {
  const api = await startApi(t);
  const { key, token } = await api.person();
  const client = createApiClient({ baseUrl: `${api.base}/`, credential: key });

  t.test('creates, lists and reads', async (t) => {
    const created = await client.POST('/v1/dev/user/conversations/from-segments', {
      body: {
        transcript_segments: [
          { text: 'We discussed the budget of the garden project.', start: 0, end: 4, is_user: true },
        ],
        started_at: '2026-03-02T09:30:00Z',
      },
    });
    t.match(created.data, { status: 'completed', discarded: false });
    const id = created.data!.id;
    const listed = await client.GET('/v1/dev/user/conversations', { params: { query: { limit: 5 } } });
    const [first]: Schemas['DeveloperConversation'][] = listed.data!;
    t.equal(first!.id, id);
    t.equal(first!.transcript_segments, null);
    const read = await client.GET('/v1/dev/user/conversations/{id}', {
      params: { path: { id }, query: { include_transcript: true } },
    });
    t.match(read.data?.transcript_segments, [{ start: 0, end: 4 }]);
  });

  t.test('shows errors as the server describes them', async (t) => {
    const invalid = await client.POST('/v1/dev/user/conversations/from-segments', {
      body: { transcript_segments: [] },
    });
    t.equal(invalid.data, undefined);
    t.equal(invalid.response.status, 422);
    t.match(invalid.error?.detail, [{ loc: ['body', 'transcript_segments'], type: 'too_short' }]);
    const absent = await client.GET('/v1/dev/user/conversations/{id}', {
      params: { path: { id: 'nothing' } },
    });
    t.match(absent.error, { detail: 'Conversation not found' });
    t.equal((await createApiClient({ baseUrl: api.base }).GET('/v1/dev/key')).response.status, 401);
  });

  t.test('manages keys', async (t) => {
    const owner = createApiClient({ baseUrl: api.base, credential: token });
    const made = await owner.POST('/v1/dev/keys', { body: { name: 'phone' } });
    const { id, key: fresh } = made.data!;
    const own = createApiClient({ baseUrl: api.base, credential: fresh });
    t.match((await own.GET('/v1/dev/key')).data, { id, name: 'phone' });
    const revoked = await owner.DELETE('/v1/dev/keys/{key_id}', { params: { path: { key_id: id } } });
    t.equal(revoked.response.status, 204);
    t.equal((await own.GET('/v1/dev/key')).response.status, 401);
  });
});
