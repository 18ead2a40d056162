import type { LanguageModel } from '../../llm/index.js';
import type { TransactionSql } from '../../store/client/index.js';
import type { BegunStep } from '../../store/jobs/index.js';
import type { StepContext } from '../work/index.js';

/** A step: its input, its two implementations, and how its result is stored. */
export interface Step<Input, Result> {
  /**
   * Whether the result adds to stored data. After a failure of the model the built-in result of such a step is discarded: a later run would
   * add it again.
   */
  readonly addsUp?: true;
  /** Reads the input. null means that there is nothing to do and the step is done. */
  read(context: StepContext, begun: BegunStep): Promise<Input | null>;
  byModel(context: StepContext & { readonly model: LanguageModel }, input: Input): Promise<Result>;
  builtIn(context: StepContext, input: Input): Promise<Result>;
  /** Stores the result in the transaction that ends the step. Storing it again changes nothing. */
  store(sql: TransactionSql, input: Input, result: Result, generatedBy: string): Promise<void>;
}
