import type { LoadView } from '../../fleet/live-view.js';
import {
  type Account,
  type AudioFiles,
  type Form,
  forms,
  HonestUser,
  honestRoutes,
  judgeRest,
  makeAudioFiles,
  type NeighbourCounts,
  type PhaseResult,
  type Product,
  type RestKind,
  restKindTraits,
  rowsOf,
  runPhase,
  settle,
  startNeighbours,
  startProduct,
} from '../../hostile/rest/index.js';
import type { SuiteOutcome } from '../../report/index.js';
import { type Bound, isKept, shownBounds } from '../../rest/bounds.js';

export interface HostileRestOptions {
  readonly kinds: readonly RestKind[];
  /** Number of rounds of each kind. Each round has an ordinary and a hostile phase. */
  readonly rounds: number;
  /** Length of a phase in seconds. */
  readonly seconds: number;
  /**
   * Numbers of accounts that send requests at the same time as the honest user. Successive rounds use successive
   * numbers.
   */
  readonly accounts: readonly number[];
  readonly view: LoadView;
  readonly signal: AbortSignal;
}

export interface HostileRestOutcome extends SuiteOutcome {
  readonly bounds: readonly Bound[];
  /** Reasons why the product failed; empty if it passed. */
  readonly failures: readonly string[];
}

/**
 * Number of conversations, and number of segments in each. They are for the honest user and for accounts of the kind
 * `slow-pages`.
 */
const seeded = { conversations: 25, segments: 10 } as const;
/** Number of characters in each transcript of a hostile account of the kind `slow-pages`. A page of 25 conversations then has 100 MB. */
const longTranscript = 4_000_000;
/** Ms for which the honest user sends requests before the measurement. */
const warmUp = 2000;

/** The accounts that send requests at the same time as the honest user in a phase. */
interface Neighbours {
  readonly accounts: readonly Account[];
  /** Ids of the accounts that are deleted after the phase. */
  readonly temporary: readonly string[];
}

type NeighboursOf = (form: Form, count: number, round: number) => Promise<Neighbours>;

/**
 * Returns a function that provides the accounts of a phase. Accounts of `slow-pages` are created once, and their
 * requests stay within the hourly limits. Accounts of all other kinds are new in each phase.
 */
const neighboursIn = async (product: Product, kind: RestKind, most: number): Promise<NeighboursOf> => {
  if (kind !== 'slow-pages') {
    return async (form, count, round) => {
      const uids = Array.from({ length: count }, (_, index) => `${form}-${round}-${index}`);
      return { accounts: await Promise.all(uids.map((uid) => product.account(uid))), temporary: uids };
    };
  }
  const kept: Record<Form, Account[]> = { ordinary: [], hostile: [] };
  for (const form of forms) {
    for (let index = 0; index < most; index++) {
      const uid = `${form}-${index}`;
      const { account } = await product.accountWith(uid, seeded.conversations, seeded.segments);
      if (form === 'hostile') await product.lengthen(uid, longTranscript);
      kept[form].push(account);
    }
  }
  return async (form, count) => ({ accounts: kept[form].slice(0, count), temporary: [] });
};

const endingWords = ({ sent, ended }: NeighbourCounts): string => {
  const all = Object.entries(ended).map(([how, count]) => `${count} ended with ${how}`);
  return `${sent} requests: ${all.join(', ')}`;
};

/**
 * Returns the order of the two forms in a round. The order changes from round to round, so that drift affects both
 * forms alike.
 */
const orderOf = (round: number): readonly Form[] => (round % 2 === 0 ? forms : forms.toReversed());

/** Returns the number of accounts in a round. Each number occurs with both orders of the forms. */
const countOf = (accounts: readonly number[], round: number): number =>
  accounts[Math.floor(round / 2) % accounts.length]!;

const measureKind = async (
  kind: RestKind,
  product: Product,
  audio: AudioFiles,
  { rounds, seconds, accounts, view, signal }: HostileRestOptions,
): Promise<readonly PhaseResult[]> => {
  const traits = restKindTraits[kind];
  const { account, conversations } = await product.accountWith(
    'honest',
    seeded.conversations,
    seeded.segments,
  );
  const routes = honestRoutes(traits, conversations, audio);
  const honest = new HonestUser(product.url, account, routes);
  const neighbours = startNeighbours();
  const phases: PhaseResult[] = [];
  const flaws = async (): Promise<string> => {
    const answers = await Promise.all(routes.map(({ route }) => honest.once(route)));
    return answers
      .flatMap(({ failed }, place) => Object.keys(failed).map((how) => `${routes[place]!.route}: ${how}`))
      .join(', ');
  };
  const serves = async (): Promise<boolean> => (await flaws()) === '';
  try {
    const neighboursOf = await neighboursIn(product, kind, Math.max(...accounts));
    await honest.during(warmUp);
    if (!(await settle(product, [], serves, signal))) {
      throw new Error(`${kind}: the product does not serve an honest user who is alone: ${await flaws()}`);
    }
    let left: readonly string[] = [];
    for (let round = 0; round < rounds; round++) {
      const count = countOf(accounts, round);
      for (const form of orderOf(round)) {
        if (!(await settle(product, left, serves, signal))) {
          view.line(`${kind}: the product is still busy with the last phase, which the next one shows, too`);
        }
        view.phase(`${kind}, round ${round + 1} of ${rounds}: beside ${count} ${form} accounts`, seconds);
        const beside = await neighboursOf(form, count, round);
        left = beside.temporary;
        const phase = await runPhase(product, honest, neighbours, {
          ...{ kind, form, round, audio },
          ...{ accounts: beside.accounts, milliseconds: seconds * 1000 },
        });
        phases.push(phase);
        view.line(`${kind}: ${count} ${form} accounts sent ${endingWords(phase.neighbours)}`);
      }
    }
    return phases;
  } finally {
    await neighbours.stop();
    await honest.close();
  }
};

/**
 * Measures an honest user while ordinary accounts send requests, and while hostile accounts send equally many requests.
 * Each kind of attack runs against a new product.
 */
export const runHostileRest = async (options: HostileRestOptions): Promise<HostileRestOutcome> => {
  const { kinds, view, signal } = options;
  const audio = await makeAudioFiles(kinds.includes('wide-audio'));
  const outcome = {
    results: [] as SuiteOutcome['results'][number][],
    selfNoise: [] as SuiteOutcome['selfNoise'][number][],
    skipped: [] as SuiteOutcome['skipped'][number][],
    versions: {} as Record<string, string>,
    bounds: [] as Bound[],
    failures: [] as string[],
  };
  for (const kind of kinds) {
    signal.throwIfAborted();
    if (kind === 'wide-audio' && !audio.wide) {
      outcome.skipped.push({ suite: 'hostile', what: kind, why: 'ffmpeg is not installed' });
      continue;
    }
    view.phase(`${kind}: starting the product`);
    const product = await startProduct(restKindTraits[kind]);
    try {
      const phases = await measureKind(kind, product, audio, options);
      const { bounds, failures, noise } = judgeRest(kind, phases);
      for (const line of shownBounds(bounds)) view.line(line);
      outcome.results.push(...rowsOf(kind, phases));
      outcome.selfNoise.push(noise);
      outcome.bounds.push(...bounds);
      const missed = bounds.filter((bound) => !isKept(bound));
      outcome.failures.push(
        ...missed.map(({ what, value, most }) => `${what}: ${value.toFixed(2)}, at most ${most}`),
        ...failures,
      );
      Object.assign(outcome.versions, product.versions);
    } finally {
      await product.stop();
    }
  }
  view.end();
  return outcome;
};
