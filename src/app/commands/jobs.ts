import { Command, InvalidArgumentError, Option } from 'commander';
import { loadSettings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { reprocessConversation } from '../../service/conversations/index.js';
import { conversationOwner } from '../../store/conversations/index.js';
import {
  countJobs,
  type JobRow,
  type JobState,
  jobStates,
  listJobs,
  retryJobs,
} from '../../store/jobs/index.js';
import { withDatabase } from '../database/index.js';
import { action, type JsonOption, print } from '../process/index.js';

interface ListOptions extends JsonOption {
  readonly state?: JobState;
  readonly step?: string;
  readonly uid?: string;
  readonly limit: number;
}

const count = async (options: JsonOption): Promise<void> => {
  const counts = await withDatabase(loadSettings().values, countJobs);
  const lines = counts.map((row) => `${row.step.padEnd(14)} ${row.state.padEnd(8)} ${row.count}`);
  print(options, counts, lines.length === 0 ? ['There are no jobs.'] : lines);
};

const lineOf = (job: JobRow): string =>
  [
    job.id,
    job.state,
    (job.ended_at ?? job.created_at).toISOString(),
    `uid=${job.uid}`,
    `attempts=${job.attempts}`,
    ...(job.error === null ? [] : [`error=${job.error}`]),
    ...(job.generated_by === null ? [] : [`by=${job.generated_by}`]),
  ].join('  ');

const list = async ({ json, ...filter }: ListOptions): Promise<void> => {
  const jobs = await withDatabase(loadSettings().values, (sql) => listJobs(sql, filter));
  print({ json }, jobs, jobs.map(lineOf));
};

const retry = async (ids: readonly string[], options: JsonOption): Promise<void> => {
  const settings = loadSettings().values;
  const again = await withDatabase(settings, (sql) => retryJobs(sql, ids.length === 0 ? undefined : ids));
  const unknown = ids.find((id) => !again.includes(id));
  print(options, again, [...again, `${again.length} jobs are run again.`]);
  if (unknown !== undefined) throw new CochleaError('bad_request', { why: `No job ${unknown} is dead` });
};

const reprocess = async (ids: readonly string[]): Promise<void> => {
  await withDatabase(loadSettings().values, async (sql) => {
    for (const id of ids) {
      await reprocessConversation(sql, (await conversationOwner(sql, id)) ?? '', id);
      print({}, id, [`${id} is processed again.`]);
    }
  });
};

const wholeNumber = (text: string): number => {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('Not a whole number above 0.');
  return number;
};

export const jobsCommand = (): Command =>
  new Command('jobs')
    .description('jobs that process finished conversations: waiting, done, or dead')
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea jobs count
  $ cochlea jobs list --state dead
  $ cochlea jobs retry                        all dead jobs
  $ cochlea jobs retry memories:0199a...      one of them
  $ cochlea jobs reprocess 0199a1b2-...       a conversation from its summary on

Nothing of what was said is printed. The error is a code of docs/errors.md. A running service executes the jobs.`,
    )
    .addCommand(
      new Command('count')
        .description('number of jobs by step and state')
        .option('--json', 'print JSON')
        .action(action(count)),
    )
    .addCommand(
      new Command('list')
        .description('list jobs, the latest first; done jobs stay listed for a week')
        .addOption(new Option('--state <state>', 'of this state only').choices(jobStates))
        .option('--step <step>', 'of this step only')
        .option('--uid <uid>', 'of this user only')
        .option('--limit <number>', 'at most so many', wholeNumber, 100)
        .option('--json', 'print JSON')
        .action(action(list)),
    )
    .addCommand(
      new Command('retry')
        .description('run dead jobs again')
        .argument('[id...]', 'ids as listed; default: all dead jobs')
        .option('--json', 'print JSON')
        .action(action(retry)),
    )
    .addCommand(
      new Command('reprocess')
        .description('repeat the summary of conversations and all later steps')
        .argument('<conversation...>', 'ids of conversations')
        .action(action(reprocess)),
    );
