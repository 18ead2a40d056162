import type { Command } from 'commander';
import type { Session } from '../session/index.js';

export const printCompletion = async (
  { print }: Session,
  program: () => Command,
  shell: string,
): Promise<void> => {
  const { completions } = await import('../completion/scripts.js');
  const script = completions[shell]!(program());
  await print.text(script.trimEnd(), { shell, script });
};

export const printManPage = async ({ print }: Session, program: () => Command): Promise<void> => {
  const { manPage } = await import('../completion/man-page.js');
  const page = manPage(program());
  await print.text(page.trimEnd(), { page });
};
