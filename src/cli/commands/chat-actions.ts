import { createInterface } from 'node:readline';
import type { ApiClient, Schemas } from '../../client/index.js';
import { answered, answeredList, brokenOff, chatEvents, type Result } from '../api/index.js';
import { plainText } from '../output/index.js';
import type { Session } from '../session/index.js';
import { CommandFailure, refused, write } from '../terminal/index.js';
import { textArgument } from './support.js';

type Message = Schemas['ChatEventMessage'];

interface ChatOptions {
  readonly timezone?: string;
  readonly history?: boolean;
}

/** Timeout in ms for an answer, which a language model may write. */
const timeout = 120_000;
/** Number of messages that `--history` prints. */
const shownMessages = 20;
/** Text that the service sends for a line feed within a part of an answer. */
const lineFeed = '__CRLF__';

/** Normalises a text, so that the streamed parts and the final text of an answer can be compared. */
const comparable = (text: string): string => text.replace(/\r\n?/g, '\n').trim();

const bodyOf = (text: string, { timezone }: ChatOptions) => ({
  text,
  ...(timezone !== undefined && { timezone }),
});

const printSources = async ({ print }: Session, { memories }: Message): Promise<void> => {
  if (!Array.isArray(memories)) return;
  for (const { id, created_at: at, structured } of memories)
    await print.info(`${at} ${structured.title} (${id})`);
};

/** Sends a message, waits for the complete answer, and prints it. */
const printWhole = async (
  session: Session,
  api: ApiClient,
  text: string,
  options: ChatOptions,
): Promise<void> => {
  const sent = (await api.POST('/v2/messages', { body: bodyOf(text, options) })) as Result<
    Schemas['AnsweredChat']
  >;
  const found = answered(sent);
  await session.print.text(found.answer.text, found);
  if (!session.print.json) await printSources(session, found.answer);
};

/** Sends a message, and prints its answer as it arrives. @throws CommandFailure also for an incomplete answer. */
const printComing = async (
  session: Session,
  api: ApiClient,
  text: string,
  options: ChatOptions,
  signal?: AbortSignal,
): Promise<void> => {
  const { stdout } = session.io;
  const sent = await api.POST('/v2/messages', {
    body: bodyOf(text, options),
    headers: { accept: 'text/event-stream' },
    parseAs: 'stream',
    ...(signal && { signal }),
  });
  const body = answered(sent as Result<AsyncIterable<Uint8Array>>);
  let shown = '';
  try {
    for await (const { name, value } of chatEvents(body)) {
      if (name === 'data') {
        const part = value.replaceAll(lineFeed, '\n');
        shown += part;
        await write(stdout, plainText(part));
      }
      if (name !== 'done') continue;
      const answer = JSON.parse(Buffer.from(value, 'base64').toString()) as Message;
      // The final text is the valid answer. It may differ from the streamed text, for example if the language model
      // failed midway.
      if (comparable(answer.text) !== comparable(shown))
        await write(stdout, `${shown === '' ? '' : '\n\n'}${plainText(answer.text)}`);
      await write(stdout, '\n');
      await printSources(session, answer);
      return;
    }
  } catch (error) {
    if (shown !== '') await write(stdout, '\n');
    throw error instanceof CommandFailure ? error : brokenOff();
  }
  throw brokenOff();
};

/**
 * Reads messages from the terminal until its input ends. Ctrl-C cancels the current answer. If there is none, it ends
 * the chat.
 */
const converse = async (session: Session, api: ApiClient, options: ChatOptions): Promise<void> => {
  const { stdin, stdout } = session.io;
  await session.print.info('Ask about your recorded speech. Ctrl-D ends the chat.');
  // Do not await anything between here and the loop, because lines that arrive meanwhile would be lost.
  const lines = createInterface({ input: stdin, output: stdout, terminal: true, prompt: '> ' });
  let answering: AbortController | null = null;
  let isClosed = false;
  lines.once('close', () => {
    isClosed = true;
  });
  lines.on('SIGINT', () => {
    if (answering) answering.abort();
    else lines.close();
  });
  lines.prompt();
  for await (const line of lines) {
    if (line.trim() !== '') {
      answering = new AbortController();
      try {
        await printComing(session, api, line, options, answering.signal);
      } catch (error) {
        if (!(error instanceof CommandFailure) || error.outcome === 'unauthorized') {
          lines.close();
          throw error;
        }
        await session.print.warn(answering.signal.aborted ? 'The answer was cancelled.' : error.message);
      }
      answering = null;
    }
    if (!isClosed) lines.prompt();
  }
  await write(stdout, '\n');
};

/** Prints the last messages, oldest first. */
const printHistory = async ({ print }: Session, api: ApiClient): Promise<void> => {
  const query = { limit: shownMessages };
  const messages = answeredList(await api.GET('/v1/chat/messages', { params: { query } })).toReversed();
  const text = messages
    .map(({ sender, text: said }) => `${sender === 'human' ? '> ' : ''}${said}`)
    .join('\n');
  await print.text(text === '' ? '(no messages)' : text, messages);
};

/** Prints the answer to a message, or runs a chat on a terminal. @throws CommandFailure */
export const chat = async (
  session: Session,
  given: string | undefined,
  options: ChatOptions,
): Promise<void> => {
  const { io, print } = session;
  const asks = given === undefined && !options.history;
  if (asks && (print.json || !io.stdin.isTTY || !io.stdout.isTTY)) {
    throw refused('There is no terminal: give the message as an argument, or "-" for standard input.');
  }
  const text = given === undefined ? '' : await textArgument(session, given, 'message');
  const api = await session.ownApi(timeout);
  if (options.history) await printHistory(session, api);
  else if (asks) await converse(session, api, options);
  else if (!print.json && io.stdout.isTTY) await printComing(session, api, text, options);
  else await printWhole(session, api, text, options);
};
