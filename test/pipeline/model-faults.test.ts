/**
 * Plays every fault of a language model in every step, all at once on one pipeline. Conversations are completed anyway, nothing is
 * duplicated, and failed steps can run again.
 */
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { createLanguageModel } from '../../src/llm/language-model.js';
import { modelOptions } from '../../src/llm/model-options.js';
import { createLogger } from '../../src/log/logger.js';
import { startPipeline } from '../../src/pipeline/pipeline.js';
import { tokenBudget } from '../../src/service/rules/token-budget.js';
import { retryJobs } from '../../src/store/jobs/jobs.js';
import { testDatabase } from '../support/database/database.js';
import { modelFaults, startModelServer } from '../support/servers/model-server.js';
import {
  askedSteps,
  finishedConversation,
  goodAnswer,
  markOf,
  modelName,
  outcomeOf,
  untilSettled,
} from './model-support.js';

const builtIn = 'extractive';

t.test('each step handles every fault of the model', { timeout: 400_000 }, async (t) => {
  const { sql, url } = await testDatabase(t);
  // Simulates earlier attempts, so that the last attempt comes soon.
  await sql`alter table steps alter column attempts set default 3`;
  await sql`alter table conversations alter column processing_attempts set default 3`;
  const server = await startModelServer(t);
  server.answer = goodAnswer;
  let faulty = true;
  /**
   * Marks of the conversations with a failed request. A mark is `FAULT, STEP`, or `FAULT, STEP, once` if only the first
   * request fails.
   */
  const failed = new Set<string>();
  server.fault = (request) => {
    const mark = markOf(request);
    const [fault, step, once] = mark.split(', ');
    if (!faulty || step !== request.step || (once && failed.has(mark))) return undefined;
    failed.add(mark);
    return modelFaults.find((name) => name === fault);
  };
  const settings = loadSettings({
    SWEEP_INTERVAL: '200',
    LLM_BASE_URL: server.url,
    LLM_MODEL: 'tiny',
    LLM_RETRIES: '0',
    LLM_TIMEOUT: '3000',
    LLM_CONCURRENCY: '24',
  }).values;
  const model = createLanguageModel(modelOptions(settings)!, {
    budget: tokenBudget(sql, settings.llmDailyTokens),
    // Disables the pause after failures, because the faults of one step would pause all steps.
    rest: 0,
  });
  const written: string[] = [];
  const log = createLogger('test', 'trace', { write: (line: string) => void written.push(line) });
  const pipeline = startPipeline({ settings, databaseUrl: url, log, model });
  t.teardown(() => pipeline.close(5000));

  const cases = askedSteps.flatMap((step) =>
    modelFaults.flatMap((fault) => [
      { step, fault, mark: `${fault}, ${step}`, lasting: true },
      // A fault of only the first request leaves no trace in the result. So the test simulates it for only
      // two faults, in one step at a time.
      ...(fault === 'reset' || fault === 'half JSON'
        ? [{ step, fault, mark: `${fault}, ${step}, once`, lasting: false }]
        : []),
    ]),
  );
  const made = new Map(
    await Promise.all(cases.map(async ({ mark }) => [mark, await finishedConversation(sql, mark)] as const)),
  );
  await untilSettled(sql, 'everything has ended');

  for (const { step, fault, mark, lasting } of cases) {
    const outcome = await outcomeOf(sql, made.get(mark)!);
    t.match(outcome, { status: 'completed', discarded: false }, `${mark}: complete`);
    const dead = Object.entries(outcome.steps).filter(([, { state }]) => state === 'dead');
    const expected = lasting && step !== 'discard' ? [step] : [];
    t.same(
      dead.map(([name]) => name),
      expected,
      `${mark}: only this one was given up`,
    );
    for (const [, { by, error }] of dead) {
      t.match({ by, error }, { by: RegExp(builtIn), error: /^llm_/ }, `${mark}: and done without the model`);
    }
    t.equal(outcome.made_by.startsWith(builtIn), lasting && step === 'structure', `${mark}: by what`);
    t.ok(outcome.memories.length <= 2, `${mark}: memories`);
    t.equal(outcome.items.length, 1, `${mark}: one task (${outcome.items})`);
    t.same(outcome.structured_items, outcome.items, `${mark}: the summary has it, too`);
    t.equal(outcome.days.length, 1, `${mark}: one summary of the day`);
    if (fault === 'refusal') t.equal(outcome.goal, lasting && step === 'goal_progress' ? 0 : 7);
  }

  faulty = false;
  const again = await retryJobs(sql);
  t.equal(
    again.length,
    modelFaults.length * (askedSteps.length - 1),
    'all that was given up can be run again',
  );
  await untilSettled(sql, 'everything has ended again');
  for (const { mark } of cases) {
    const outcome = await outcomeOf(sql, made.get(mark)!);
    t.match(
      outcome,
      {
        status: 'completed',
        title: `Told [${mark}]`,
        made_by: modelName,
        folder: 'Work',
        memories: [`Has a dentist [${mark}].`],
        items: [`Call the dentist [${mark}]`],
        structured_items: [`Call the dentist [${mark}]`],
        goal: 7,
        days: [`A day [${mark}]`],
      },
      `${mark}: made by the model now, and once`,
    );
    for (const [name, { state, by }] of Object.entries(outcome.steps)) {
      // A conversation stays in its folder, even if this is not the folder of its category.
      const filed = name === 'folder' && mark.includes('structure');
      t.match(
        { state, by },
        filed ? { state: 'done' } : { state: 'done', by: modelName },
        `${mark}: ${name}`,
      );
    }
  }
  const [due] = await sql<{ due_at: Date }[]>`select due_at from action_items limit 1`;
  t.equal(due!.due_at.toISOString(), '2026-03-03T08:00:00.000Z', 'due dates are in the zone of the user');

  t.ok(written.length > 100, 'it was logged');
  t.same(
    written.filter((line) => /dentist|Told|nurse|Ann"/.test(line)),
    [],
    'nothing that was said or answered is in the log',
  );
});
