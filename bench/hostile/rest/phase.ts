import { setTimeout as pause } from 'node:timers/promises';
import type { AudioFiles } from './audio-files.js';
import type { HonestAnswers, HonestUser } from './honest-user.js';
import { type Form, type RestKind, restKindTraits } from './kinds.js';
import type { NeighbourProcess } from './neighbour-process.js';
import type { Account, NeighbourCounts } from './neighbour-program.js';
import type { Product } from './product.js';
import { type PeakMemory, watchMemory } from './watch-memory.js';

/** Results of one phase, in which an honest user and accounts of one form send requests at the same time. */
export interface PhaseResult {
  readonly round: number;
  readonly form: Form;
  readonly accounts: number;
  readonly answers: HonestAnswers;
  /**
   * Ms from the creation of each conversation of the honest user to the end of its processing steps. For a conversation
   * that was not finished, the value is `jobLimit`.
   */
  readonly jobs: readonly number[];
  readonly unfinishedJobs: number;
  readonly neighbours: NeighbourCounts;
  readonly memory: PeakMemory;
}

/** Maximum ms after a phase in which the honest user's jobs must end. */
export const jobLimit = 20_000;
const lookEvery = 100;

interface JobRow {
  readonly waiting: boolean;
  readonly milliseconds: number | null;
}

/** Waits until the processing steps of the given conversations have ended, but at most `jobLimit` ms. */
const jobsOf = async (
  { sql }: Product,
  conversations: readonly string[],
): Promise<Pick<PhaseResult, 'jobs' | 'unfinishedJobs'>> => {
  for (const end = Date.now() + jobLimit; ; await pause(lookEvery)) {
    const rows = await sql<JobRow[]>`
      select bool_or(state = 'waiting') as waiting,
        (extract(epoch from max(ended_at) - min(created_at)) * 1000)::float8 as milliseconds
      from steps where conversation_id = any(${[...conversations]}::uuid[]) group by conversation_id`;
    const unfinished = rows.filter(({ waiting }) => waiting).length;
    if (unfinished > 0 && Date.now() < end) continue;
    const jobs = rows.map(({ waiting, milliseconds }) => (waiting ? jobLimit : (milliseconds ?? jobLimit)));
    return { jobs, unfinishedJobs: unfinished };
  }
};

export interface PhaseOptions {
  readonly kind: RestKind;
  readonly form: Form;
  readonly round: number;
  readonly accounts: readonly Account[];
  readonly milliseconds: number;
  readonly audio: AudioFiles;
}

/** Runs the honest user and some accounts against a product at the same time. */
export const runPhase = async (
  product: Product,
  honest: HonestUser,
  neighbours: NeighbourProcess,
  { kind, form, round, accounts, milliseconds, audio }: PhaseOptions,
): Promise<PhaseResult> => {
  honest.takeCreated();
  const watched = watchMemory(product);
  await neighbours.begin({ port: product.port, kind, form, accounts, milliseconds, audio });
  const answers = await honest.during(milliseconds);
  const jobs = await jobsOf(product, honest.takeCreated());
  const counts = await neighbours.finish(restKindTraits[kind].drain);
  return {
    ...{ round, form, accounts: accounts.length, answers },
    ...jobs,
    ...{ neighbours: counts, memory: watched() },
  };
};
