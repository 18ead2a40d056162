import { answered } from '../api/index.js';
import type { Session } from '../session/index.js';
import { textArgument } from './support.js';

/** Timeout in ms for an answer, which a language model may write. */
const timeout = 120_000;

export const ask = async (
  session: Session,
  given: string,
  { limit, timezone }: { readonly limit: number; readonly timezone?: string },
): Promise<void> => {
  const question = await textArgument(session, given, 'question');
  const api = await session.api(timeout);
  const found = answered(
    await api.POST('/v1/dev/user/ask', {
      body: { question, limit, ...(timezone !== undefined && { timezone }) },
    }),
  );
  await session.print.text(found.answer, found);
  if (session.print.json || !Array.isArray(found.sources)) return;
  for (const { created_at: at, title, id } of found.sources)
    await session.print.info(`${at} ${title} (${id})`);
};
