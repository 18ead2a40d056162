import type { LanguageModel } from '../../llm/index.js';
import type { TransactionSql } from '../../store/client/index.js';
import type { BegunStep } from '../../store/jobs/index.js';
import type { StepContext } from '../work/index.js';

/** A step: what it reads, the two ways in which it is made, and how it is stored. */
export interface Step<Input, Result> {
  /**
   * Whether what is stored adds to what was there. What the built-in implementation makes in place of a model that failed is not stored
   * then: the step can be asked for again, and would add it a second time.
   */
  readonly addsUp?: true;
  /** null when there is nothing to do: the step is done then. */
  read(context: StepContext, begun: BegunStep): Promise<Input | null>;
  byModel(context: StepContext & { readonly model: LanguageModel }, input: Input): Promise<Result>;
  builtIn(context: StepContext, input: Input): Promise<Result>;
  /** Stores the result in the transaction that ends the step. Repeating it changes nothing more. */
  store(sql: TransactionSql, input: Input, result: Result, generatedBy: string): Promise<void>;
}
