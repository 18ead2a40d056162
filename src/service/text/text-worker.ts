import { type TextTaskInput, type TextTaskName, type TextTaskResult, textTasks } from './text-tasks.js';

export interface TextTask<Name extends TextTaskName = TextTaskName> {
  readonly name: Name;
  readonly input: TextTaskInput<Name>;
}

/** A piscina task: work on a text of a user. The thread may be ended meanwhile. */
export const runTextTask = async <Name extends TextTaskName>({
  name,
  input,
}: TextTask<Name>): Promise<TextTaskResult<Name>> => {
  const task = textTasks[name] as (given: TextTaskInput<Name>) => TextTaskResult<Name>;
  return task(input);
};
