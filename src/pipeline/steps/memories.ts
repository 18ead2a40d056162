import { z } from 'zod';
import { localDay } from '../../common/local-time/index.js';
import type { LanguageModel } from '../../llm/index.js';
import {
  type FoundMemory,
  type NearMemory,
  nearMemories,
  replaceFoundMemories,
  sameMemories,
  sameMemory,
} from '../../service/records/index.js';
import { type FoundMemoryRow, memoriesOfConversation } from '../../store/records/index.js';
import { memoryBounds } from '../../wire/records/index.js';
import { dataWith, languageRule, ownerRule, quoted, readStored, type StoredInput } from '../input/index.js';
import type { StepContext } from '../work/index.js';
import type { Step } from './step.js';

/** Maximum number of memories that are made from one conversation. */
export const mostMemories = 2;
/** Maximum number of known memories that are compared with a new fact. */
const mostNear = 8;

/** Minimum similarity at which two memories count as equal. */
const alike = 0.92;

const facts = z.strictObject({
  memories: z
    .array(
      z.strictObject({
        content: z.string().min(1).max(memoryBounds.content),
        category: z.enum(['system', 'interesting']),
      }),
    )
    .max(mostMemories),
});
type Fact = z.output<typeof facts>['memories'][number];

interface MemoriesInput extends StoredInput {
  /** Memories that earlier runs found in the conversation. */
  readonly earlier: readonly FoundMemoryRow[];
}

const instructions = (input: StoredInput): string =>
  [
    `You find at most ${mostMemories} facts in the transcript of a conversation that are worth remembering for years. Most conversations have none: answer with an empty list then.`,
    ownerRule(input.owner),
    languageRule(input.owner),
    `The conversation took place on ${localDay(input.transcript.startedAt, input.owner.timeZone)}.`,
    'category system: a fact about the owner, such as a preference, a relation, a project, something that changed. category interesting: knowledge or advice of someone else, with who it is from.',
    'content: one sentence that can be understood alone, at most 20 words, with names instead of pronouns.',
    'Leave out what passes, what is obvious, what is only guessed, and what the data lists as known.',
  ].join('\n');

/**
 * Asks the model whether a fact is new, or whether it repeats or contradicts one of the known memories that are similar
 * to it.
 */
const compare = async (
  { signal }: StepContext,
  model: LanguageModel,
  uid: string,
  { fact, near }: { readonly fact: Fact; readonly near: readonly NearMemory[] },
): Promise<FoundMemory | null> => {
  const kept: FoundMemory = { ...fact, supersedes: [] };
  if (near.length === 0) return kept;
  const answer = z.strictObject({
    decision: z.enum(['keep', 'skip', 'replace']),
    replaces: z.array(z.number().int().min(1).max(near.length)).max(near.length),
    content: z.string().max(memoryBounds.content),
  });
  const { decision, replaces, content } = await model.ask(
    {
      step: 'memories',
      uid,
      instructions: [
        'You compare a new memory with those that are known. All of them are quoted in the data.',
        'decision keep: it says something that no known one says. skip: a known one says it already. replace: it makes known ones untrue, or says the same and more.',
        'replaces: the numbers of the known ones that it replaces, else an empty list. content: for replace one sentence that holds what is true now, else an empty text.',
      ].join('\n'),
      data: [
        `new: ${quoted(fact.content)}`,
        ...near.map((one, place) => `${place + 1}: ${quoted(one.content)}`),
      ].join('\n'),
      answerTokens: 200,
      signal,
    },
    answer,
  );
  if (decision === 'skip') return null;
  if (decision === 'keep' || replaces.length === 0) return kept;
  return {
    ...fact,
    content: content.trim() || fact.content,
    supersedes: [...new Set(replaces)].map((number) => near[number - 1]!.id),
  };
};

/** Removes facts that repeat a known memory or another fact earlier in the list. */
const newFacts = (found: readonly Fact[], near: readonly (readonly NearMemory[])[]) => {
  const seen = new Set<string>();
  return found.flatMap((fact, place) => {
    const same = sameMemory(fact.content);
    const known = near[place]!.some((one) => sameMemory(one.content) === same || one.similarity >= alike);
    if (same === '' || known || seen.has(same)) return [];
    seen.add(same);
    return [{ fact, near: near[place]! }];
  });
};

const except = (earlier: readonly FoundMemoryRow[]): ReadonlySet<string> =>
  new Set(earlier.map(({ id }) => id));

/**
 * Decides which facts of a run become memories. A fact that an earlier run found keeps the memory from that run.
 * `judge` decides about the other facts. New memories are added only while the conversation has fewer than
 * `mostMemories`. The memories that stay from earlier runs are included in this number.
 */
const settled = async (
  { sql, search }: StepContext,
  { owner, earlier }: MemoriesInput,
  found: readonly Fact[],
  judge: (compared: {
    readonly fact: Fact;
    readonly near: readonly NearMemory[];
  }) => Promise<FoundMemory | null>,
): Promise<FoundMemory[]> => {
  const contents = found.map((fact) => fact.content);
  const same = await sameMemories(owner.uid, contents, earlier, search);
  const again = found.flatMap((fact, place) =>
    same[place] === undefined ? [] : [{ ...fact, supersedes: [], same: same[place] }],
  );
  const stay = earlier.filter((row) => row.is_shown && (row.is_kept || same.includes(row.id)));
  const others = found.filter((_fact, place) => same[place] === undefined);
  const near = await nearMemories(
    sql,
    owner.uid,
    others.map((fact) => fact.content),
    { limit: mostNear, except: except(earlier), search },
  );
  const made: FoundMemory[] = [];
  for (const compared of newFacts(others, near)) {
    if (stay.length + made.length >= mostMemories) break;
    const memory = await judge(compared);
    if (memory !== null) made.push(memory);
  }
  return [...again, ...made];
};

/** Finds memories in a conversation. They replace the memories of an earlier run. */
export const memoriesStep: Step<MemoriesInput, readonly FoundMemory[]> = {
  async read(context, { conversation_id: id }) {
    const stored = await readStored(context, id);
    if (stored === null || stored.content.discarded) return null;
    return {
      ...stored,
      earlier: await memoriesOfConversation(context.sql, stored.owner.uid, stored.content.id),
    };
  },
  async byModel(context, input) {
    const { model, signal, sql, search } = context;
    const { owner, content, text, earlier } = input;
    const overview = `${content.structured?.title ?? ''} ${content.structured?.overview ?? ''}`;
    const [known] = await nearMemories(sql, owner.uid, [overview], {
      limit: 2 * mostNear,
      except: except(earlier),
      search,
    });
    const kept = earlier.filter((row) => row.is_kept).slice(0, mostNear);
    const { memories: found } = await model.ask(
      {
        step: 'memories',
        uid: owner.uid,
        instructions: instructions(input),
        data: dataWith(
          'Facts that are known already',
          [...kept.map((row) => row.found_as), ...(known ?? []).map((one) => one.content)],
          text,
        ),
        answerTokens: 400,
        signal,
      },
      facts,
    );
    return settled(context, input, found, (compared) => compare(context, model, owner.uid, compared));
  },
  async builtIn(context, input) {
    const found = (await context.rules.memories(input.transcript, input.owner.uid)).slice(0, mostMemories);
    return settled(context, input, found, async ({ fact }) => ({ ...fact, supersedes: [] }));
  },
  async store(sql, { content }, found) {
    await replaceFoundMemories(sql, content, found);
  },
};
