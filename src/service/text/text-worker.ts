import { yieldThread } from '../../config/process/index.js';
import { type TextTaskInput, type TextTaskName, type TextTaskResult, textTasks } from './text-tasks.js';

export interface TextTask<Name extends TextTaskName = TextTaskName> {
  readonly name: Name;
  readonly input: TextTaskInput<Name>;
  /** The text is long. Requests with short texts have processor priority. */
  readonly long: boolean;
}

/** A piscina task: work on a user's text. The thread may be ended meanwhile. */
export const runTextTask = async <Name extends TextTaskName>({
  name,
  input,
  long,
}: TextTask<Name>): Promise<TextTaskResult<Name>> => {
  if (long) yieldThread();
  const task = textTasks[name] as (given: TextTaskInput<Name>) => TextTaskResult<Name>;
  return task(input);
};
