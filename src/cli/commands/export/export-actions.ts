import { type ExportFormat, transcriptWriter } from '../../../wire/exports/index.js';
import { answered } from '../../api/index.js';
import type { Session } from '../../session/index.js';
import { write } from '../../terminal/index.js';

/** Prints a conversation as a file. With `--json` or the format `json` it prints the answer of the service. */
export const exportConversation = async (
  session: Session,
  id: string,
  { format }: { readonly format: ExportFormat },
): Promise<void> => {
  const api = await session.api();
  const params = { path: { id }, query: { include_transcript: true } };
  const conversation = answered(await api.GET('/v1/dev/user/conversations/{id}', { params }));
  if (format === 'json') return session.print.line(conversation);
  const writer = transcriptWriter(format);
  const texts = [writer.head(conversation)];
  for (const segment of conversation.transcript_segments ?? []) texts.push(writer.segment(segment));
  const file = texts.join('');
  const { io, print } = session;
  // On a terminal `print.text` removes characters that change the direction of text.
  if (print.json || io.stdout.isTTY) return print.text(file.trimEnd(), conversation);
  await write(io.stdout, file);
};
