import { longTextNiceness, yieldThread } from '../../config/process/index.js';
import { type TextTaskInput, type TextTaskName, type TextTaskResult, textTasks } from './text-tasks.js';

export interface TextTask<Name extends TextTaskName = TextTaskName> {
  readonly name: Name;
  readonly input: TextTaskInput<Name>;
  /** Whether the text is long. The thread then lowers its priority, so that requests with short texts come first. */
  readonly long: boolean;
}

/** A piscina task: runs work on a user's text. The thread may be ended during the work. */
export const runTextTask = async <Name extends TextTaskName>({
  name,
  input,
  long,
}: TextTask<Name>): Promise<TextTaskResult<Name>> => {
  if (long) yieldThread(longTextNiceness);
  const task = textTasks[name] as (given: TextTaskInput<Name>) => TextTaskResult<Name>;
  return task(input);
};
