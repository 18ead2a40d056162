/**
 * A client exports 10,000 conversations, and the sidecar is killed several times meanwhile. The client continues after
 * the last complete line. In the end it has the same lines as after an undisturbed export.
 */
import t from 'tap';
import { createUser } from '../../../src/identity/users.js';
import { testDatabase } from '../../support/database/database.js';
import { type SidecarProcess, startSidecarProcess } from '../sidecar-process.js';
import { consoleHeaders, consoleSession } from '../support.js';
import { makeConversations } from './export-support.js';

const count = 10_000;

/**
 * Reads an export until it ends, or until it has as many lines as wanted.
 * @returns the complete lines, and whether the export ended.
 */
const readLines = async (
  base: string,
  cookie: string,
  after: string | undefined,
  enough: number,
): Promise<{ readonly lines: string[]; readonly ended: boolean }> => {
  const query = after === undefined ? '' : `?after=${after}`;
  const answer = await fetch(`${base}/console/api/export${query}`, {
    headers: consoleHeaders({ base }, cookie),
  });
  if (answer.status !== 200) throw new Error(`status ${answer.status}`);
  const lines: string[] = [];
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of answer.body!) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = parts.pop()!;
    lines.push(...parts);
    if (lines.length >= enough) return { lines, ended: false };
  }
  return { lines, ended: true };
};

t.test('an export goes on after the sidecar was killed', { timeout: 300_000 }, async (t) => {
  const { url, sql } = await testDatabase(t);
  const environment = { DATABASE_URL: url, SENTENCE_MODEL: 'none' };
  const { uid } = await createUser(sql, { uid: 'wearer', name: 'Ann' });
  await makeConversations(sql, uid, count);
  const cookie = await consoleSession(sql, uid);
  let sidecar: SidecarProcess = await startSidecarProcess(t, environment);
  await sidecar.ready();
  const undisturbed = await readLines(sidecar.base, cookie, undefined, Number.POSITIVE_INFINITY);
  t.ok(undisturbed.ended);
  t.equal(undisturbed.lines.length, count + 1);

  const gathered: string[] = [];
  let kills = 0;
  for (const enough of [1, 3000, 4000, Number.POSITIVE_INFINITY]) {
    const last = gathered.at(-1);
    const after = last === undefined ? undefined : (JSON.parse(last) as { after: string }).after;
    const { lines, ended } = await readLines(sidecar.base, cookie, after, enough);
    gathered.push(...lines);
    if (ended) break;
    await sidecar.kill();
    kills++;
    sidecar = await startSidecarProcess(t, environment);
    await sidecar.ready();
  }
  t.equal(kills, 3);
  t.same(gathered.length, undisturbed.lines.length);
  t.ok(gathered.every((line, at) => line === undisturbed.lines[at]));
});
