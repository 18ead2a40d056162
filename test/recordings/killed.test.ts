/** A sidecar is killed while it processes an uploaded recording. The next sidecar continues the job, and the conversation exists once. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { developerScopes } from '../../src/identity/scopes.js';
import { withoutNative } from '../audio/support.js';
import { startApi, uploadForm } from '../sidecar/support.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';
import { recorded, recordingName } from './frame-files.js';

const script = fileURLToPath(new URL('./killed-sidecar.js', import.meta.url));
const path = '/v2/sync-local-files';

t.test('a sidecar is killed in the middle of a recording', { skip: withoutNative }, async (t) => {
  const api = await startApi(t);
  const { pcm } = await scene([0, 1]);
  const speech = recorded(pcm, 'opus_fs320');
  const start = async (folder: string, moment: string): Promise<{ child: ChildProcess; base: string }> => {
    const child = spawn(process.execPath, [script, api.url, folder, moment], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.teardown(() => child.kill('SIGKILL'));
    const [port] = await once(child.stdout!, 'data');
    return { child, base: `http://127.0.0.1:${String(port).trim()}` };
  };

  for (const [moment, state] of [
    ['transcribing', 'waiting'],
    ['transcribed', 'transcribed'],
  ] as const) {
    const folder = t.testdir();
    const recordings = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.bin'));
    const person = await api.person(developerScopes);
    const first = await start(folder, moment);
    const ended = once(first.child, 'exit');
    const answer = await fetch(first.base + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.token}` },
      body: uploadForm({ [recordingName(Date.now() - 86_400_000)]: speech }),
    });
    t.equal(answer.status, 202, moment);
    const { job_id: id } = (await answer.json()) as { job_id: string };
    t.equal((await ended)[1], 'SIGKILL', `${moment}: it was killed`);
    const rowOf = async () => {
      const [row] = await api.sql<{ state: string; later: boolean }[]>`
        select state, due_at > now() as later from recordings where uid = ${person.uid}`;
      return row!;
    };
    t.equal((await rowOf()).state, state, `${moment}: what stood in the database`);
    t.equal(recordings().length, 1, `${moment}: the file is still there`);

    const second = await start(folder, 'never');
    // The lease expires one minute after its process last renewed it.
    await api.sql`update recordings set due_at = now() where uid = ${person.uid} and state = 'waiting'`;
    const progress = async () => (await api.call(`${path}/${id}`, { credential: person.token })).body;
    await until(async () => (await progress()).poll_after_ms === 0, `${moment}: the job ends`);
    t.match(await progress(), { status: 'completed', failed_segments: 0, errors: [] }, moment);
    const texts = await api.sql<{ text: string }[]>`
      select text from segments join conversations on conversations.id = conversation_id
      where uid = ${person.uid} and not deleted`;
    const said = texts.map(({ text }) => text).join(' ');
    const { total_segments: total, new_memories: made } = await progress();
    t.ok(total >= 2, `${moment}: ${total} utterances`);
    const words = said.match(/Words \d+\./g) ?? [];
    t.strictSame(
      words.sort(),
      Array.from({ length: total }, (_, index) => `Words ${index + 1}.`).sort(),
      `${moment}: each utterance stands in it once`,
    );
    const conversations = await api.sql`select id from conversations where uid = ${person.uid}`;
    t.strictSame(
      conversations.map((row) => row.id),
      made,
      `${moment}: one conversation`,
    );
    second.child.kill('SIGKILL');
    await once(second.child, 'exit');
  }
});
