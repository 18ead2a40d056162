import type { LanguageModel } from '../../llm/index.js';
import { filedSummary } from '../../service/rules/index.js';
import type { Summary } from '../../store/conversations/index.js';
import { emptyStructured, type Structured } from '../../store/record/index.js';
import type { ConversationInput } from '../input/index.js';
import { type Made, make, mayRepeat, type StepContext } from '../work/index.js';
import { keptByModel, structureByModel } from './structure-by-model.js';

const discarded: Summary = {
  structured: emptyStructured,
  generatedBy: 'rules-1',
  discarded: true,
  filing: null,
};

export interface SummaryOptions {
  /** Whether this is the last attempt. */
  readonly last: boolean;
  /** Whether the conversation is kept regardless of its content. */
  readonly keep: boolean;
}

/**
 * Decides whether a conversation is kept, and summarises it. The rules decide first, then the model, if any. If neither decides, the
 * conversation is kept.
 */
export const summaryOf = async (
  context: StepContext,
  input: ConversationInput,
  { last, keep }: SummaryOptions,
): Promise<Made<Summary>> => {
  const { model, extractor, rules, signal } = context;
  const { uid } = input.owner;
  const ruled = keep ? true : (await rules.relevance(input.transcript, uid)).keep;
  if (ruled === false) return { result: discarded, generatedBy: discarded.generatedBy, error: null };
  /** Asks the model whether to keep the conversation. If the model fails in the last attempt, the conversation is kept. */
  const kept = (asked: LanguageModel): Promise<boolean> =>
    keptByModel(asked, input, signal).catch((thrown: unknown) => {
      if (signal.aborted || (mayRepeat(thrown) && !last)) throw thrown;
      return true;
    });
  const { result, generatedBy, error } = await make<Structured | null>(context, {
    step: 'structure',
    last,
    byModel:
      model === null
        ? undefined
        : async () => {
            if (ruled === null && !(await kept(model))) return null;
            return structureByModel(model, input, signal);
          },
    builtIn: () => extractor.extract(input.transcript, uid),
  });
  const summary = result === null ? { ...discarded, generatedBy } : filedSummary(result, generatedBy);
  return { result: summary, generatedBy, error };
};
