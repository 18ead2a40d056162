import t from 'tap';
import { loadPackets } from '../../../bench/packets/packets.js';
import { rowSchema } from '../../../bench/report/envelope.js';
import { runStart } from '../../../bench/suites/start.js';
import { startOnce } from '../../../bench/suites/start-once.js';

t.test('an engine is timed from its start to its first decision', async (t) => {
  const { results } = await runStart({ modes: ['engine'], rounds: 1 });
  t.equal(results.length, 1);
  const [row] = results;
  t.doesNotThrow(() => rowSchema.parse(row));
  t.match(row, { suite: 'start', mode: 'engine', stt: 'discard', page_cache: 'warm' });
  t.ok(row!.ms_to_listening! > 0 && row!.ms_to_first_frame! > row!.ms_to_listening!);
});

t.test('if a start fails, the error contains the output of the process', async (t) => {
  const packets = await loadPackets('speech');
  const databaseUrl = 'postgres://absent:nothing@127.0.0.1:1/none';
  await t.rejects(
    startOnce({ words: ['engine'], dataDir: t.testdir(), databaseUrl, packets }),
    /"cochlea engine" did not take a stream\n.*127\.0\.0\.1:1/s,
  );
});
