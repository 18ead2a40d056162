/** Tests the sidecar's page for Prometheus. */
import t from 'tap';
import { freePort } from '../../bench/fleet/targets/free-port.js';
import { until } from '../support/until.js';
import { fromSegments, said, startApi } from './support.js';

t.test('counts steps by outcome, and open jobs by state', async (t) => {
  const port = await freePort();
  const page = async (path = '/metrics'): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return answer.status === 200 ? answer.text() : String(answer.status);
  };
  const api = await startApi(t, { SIDECAR_METRICS_PORT: String(port), SENTENCE_MODEL: 'none' });
  const { key, uid } = await api.person();
  const body = { transcript_segments: [said('I need to call the dentist tomorrow about the appointment.')] };
  t.equal((await api.call(fromSegments, { credential: key, body })).status, 200);
  await until(
    async () => (await page()).includes('cochlea_step_attempts_total{step="action_items",outcome="done"} 1'),
    'the step that creates tasks is counted',
  );
  const text = await page();
  t.match(text, 'cochlea_step_attempts_total{step="structure",outcome="done"} 1');
  t.match(text, 'cochlea_step_seconds_count{step="structure"} 1');
  t.match(text, 'cochlea_jobs{step="daily_summary",state="waiting"} 1');
  t.notMatch(text, uid);
  t.equal(await page('/'), '404');
});
