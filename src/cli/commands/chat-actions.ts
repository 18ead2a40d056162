import { createInterface } from 'node:readline';
import type { ApiClient, Schemas } from '../../client/index.js';
import { answered, answeredList, brokenOff, chatEvents, type Result } from '../api/index.js';
import { plainText } from '../output/index.js';
import type { Session } from '../session/index.js';
import { CommandFailure, write } from '../terminal/index.js';
import { textArgument } from './support.js';

type Message = Schemas['ChatEventMessage'];

interface ChatOptions {
  readonly timezone?: string;
  readonly history?: boolean;
}

/** Ms for an answer, which a language model may write. */
const timeout = 120_000;
/** Messages that `--history` prints. */
const shownMessages = 20;
/** What the service writes for a line feed within a part of an answer. */
const lineFeed = '__CRLF__';

/** A text without what an answer loses on its way as events. */
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

/** Sends a message, and prints its answer when all of it is there. */
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

/** Sends a message, and prints its answer while it comes. @throws CommandFailure also for an answer that breaks off. */
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
      // What the service says at the end counts, as when its language model broke off in the middle.
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

/** Asks for messages on the terminal until the end of its input. Ctrl-C ends the answer that is coming, or else the chat. */
const converse = async (session: Session, api: ApiClient, options: ChatOptions): Promise<void> => {
  const { stdin, stdout } = session.io;
  await session.print.info('Ask about what was said. Ctrl-D ends the chat.');
  // Nothing may be awaited from here to the loop: lines that come before it are lost.
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
        await session.print.warn(answering.signal.aborted ? 'The answer was given up.' : error.message);
      }
      answering = null;
    }
    if (!isClosed) lines.prompt();
  }
  await write(stdout, '\n');
};

/** Prints the last messages, the oldest first. */
const printHistory = async ({ print }: Session, api: ApiClient): Promise<void> => {
  const query = { limit: shownMessages };
  const messages = answeredList(await api.GET('/v1/chat/messages', { params: { query } })).toReversed();
  const text = messages
    .map(({ sender, text: said }) => `${sender === 'human' ? '> ' : ''}${said}`)
    .join('\n');
  await print.text(text === '' ? '(no messages)' : text, messages);
};

/** A message and its answer, or a chat on a terminal. @throws CommandFailure */
export const chat = async (
  session: Session,
  given: string | undefined,
  options: ChatOptions,
): Promise<void> => {
  const { io, print } = session;
  const asks = given === undefined && !options.history;
  if (asks && (print.json || !io.stdin.isTTY || !io.stdout.isTTY)) {
    throw new CommandFailure(
      'refused',
      'There is no terminal to ask on: give the message as an argument, or "-" for standard input.',
    );
  }
  const text = given === undefined ? '' : await textArgument(session, given, 'message');
  const api = await session.ownApi(timeout);
  if (options.history) await printHistory(session, api);
  else if (asks) await converse(session, api, options);
  else if (!print.json && io.stdout.isTTY) await printComing(session, api, text, options);
  else await printWhole(session, api, text, options);
};
