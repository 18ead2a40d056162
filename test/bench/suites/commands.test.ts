import type { Command } from 'commander';
import t from 'tap';
import { abCommand } from '../../../bench/commands/ab.js';
import { hostileCommand } from '../../../bench/commands/hostile.js';
import { journalCommand } from '../../../bench/commands/journal.js';
import { dayCommand } from '../../../bench/commands/load/day.js';
import { requestsCommand } from '../../../bench/commands/requests.js';
import { startCommand } from '../../../bench/commands/start.js';

t.test('invalid options are refused before anything starts', async (t) => {
  const cases: readonly [command: () => Command, words: readonly string[], why: RegExp][] = [
    [journalCommand, ['--batches', '1,0'], /--batches .* whole number above 0/],
    [journalCommand, ['--shards', ''], /--shards .* whole number above 0/],
    [requestsCommand, ['--connections', '1,,10'], /--connections .* whole number above 0/],
    [requestsCommand, ['--rate-limit-boost', '0.5'], /--rate-limit-boost .* whole number above 0/],
    [startCommand, ['--only', 'sidecar'], /Allowed choices are new, existing, engine/],
    [hostileCommand, ['--only', 'search-text,flood'], /--only .* some of search-text/],
    [hostileCommand, ['--accounts', '2,0'], /--accounts .* whole number above 0/],
    [dayCommand, ['--streams', '0%'], /--streams .* a share of the capacity/],
    [dayCommand, ['--peers', 'deno'], /--peers .* some of node/],
    [dayCommand, ['--codec', 'opus,mp3'], /--codec .* some of opus/],
    [abCommand, [], /missing required argument 'ref'/],
    [abCommand, ['HEAD', '--rounds', '2'], /--rounds .* at least 3/],
    [abCommand, ['HEAD', '--fleet', 'all'], /--fleet .* whole number above 0/],
  ];
  for (const [command, words, why] of cases) {
    const quiet = command()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    await t.rejects(
      quiet.parseAsync(words, { from: 'user' }),
      { message: why },
      `${quiet.name()} ${words.join(' ')}`,
    );
  }
});
