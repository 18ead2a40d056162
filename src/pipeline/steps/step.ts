import type { LanguageModel } from '../../llm/index.js';
import type { TransactionSql } from '../../store/client/index.js';
import type { BegunStep } from '../../store/jobs/index.js';
import type { StepContext } from '../work/index.js';

/**
 * A step of the pipeline. It defines how its input is read, how a model or built-in rules make its result, and how the
 * result is stored.
 */
export interface Step<Input, Result> {
  /**
   * Whether the step adds its result to stored data instead of replacing it. If the model fails, the built-in result of
   * such a step is not stored. Otherwise a later run would add the model's result to the built-in result.
   */
  readonly addsUp?: true;
  /** Reads the input. Returns null if there is nothing to do. The step is then done. */
  read(context: StepContext, begun: BegunStep): Promise<Input | null>;
  byModel(context: StepContext & { readonly model: LanguageModel }, input: Input): Promise<Result>;
  builtIn(context: StepContext, input: Input): Promise<Result>;
  /** Stores the result in the transaction that ends the step. Storing it again changes nothing. */
  store(sql: TransactionSql, input: Input, result: Result, generatedBy: string): Promise<void>;
}
