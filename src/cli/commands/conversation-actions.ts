import type { Schemas } from '../../client/index.js';
import { answered } from '../api/index.js';
import {
  type CreateOptions,
  type Fields,
  fieldsSet,
  type GivenOptions,
  type Setting,
} from '../arguments/index.js';
import type { Session } from '../session/index.js';
import { refused } from '../terminal/index.js';
import { creation, jsonList, textArgument } from './support.js';

const path = '/v1/dev/user/conversations';

const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(Number(seconds) || 0));
  return [whole / 3600, (whole / 60) % 60, whole % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');
};

/**
 * Returns the table fields of a conversation. The fields of its summary become fields of the table. The transcript has
 * one line per segment. In the answer to a change, the transcript is omitted, because it would push the other fields
 * off the screen.
 */
export const fieldsShown = (conversation: Schemas['DeveloperConversation'], isChange: boolean): Fields => {
  const { id, structured, transcript_segments: said, geolocation, ...rest } = conversation;
  const { title, overview, category, emoji, action_items: items = [], events = [] } = structured ?? {};
  return {
    id,
    title: [emoji, title].filter((part) => part).join(' '),
    overview,
    category,
    ...rest,
    ...(geolocation && { place: geolocation.address ?? `${geolocation.latitude}, ${geolocation.longitude}` }),
    ...(items.length > 0 && {
      action_items: items.map((item) => `${item.completed ? '[x]' : '[ ]'} ${item.description}`).join('\n'),
    }),
    ...(events.length > 0 && {
      events: events.map((event) => `${event.start} ${event.title}`).join('\n'),
    }),
    ...(!isChange &&
      Array.isArray(said) && {
        transcript: said
          .map(({ start, speaker_name: name, text }) => `${clock(start)} ${name}: ${text}`)
          .join('\n'),
      }),
  };
};

/**
 * Prints the result of creating a conversation. The service discards a transcript without content worth keeping, which
 * is not an error.
 */
const created = async (session: Session, answer: Schemas['ConversationCreateResponse']): Promise<void> => {
  await session.print.record(answer);
  if (answer.discarded) await session.print.info('It has no content worth keeping and is not listed.');
};

/** Creates a conversation. The text `-` or an absent text means standard input. */
export const createConversation = async (
  session: Session,
  settings: readonly Setting[],
  options: CreateOptions & GivenOptions,
): Promise<void> => {
  const { text: given = '-', ...fields } = fieldsSet(settings, options);
  if (options.text === undefined && session.io.stdin.isTTY)
    throw refused('The text is missing: give it with --text, or pipe it in.');
  const body = { ...fields, text: await textArgument(session, given as string, 'text') };
  const api = await session.api();
  await created(session, answered(await api.POST(path, { params: creation(options), body: body as never })));
};

export const createFromSegments = async (
  session: Session,
  settings: readonly Setting[],
  file: string,
  options: CreateOptions & GivenOptions,
): Promise<void> => {
  const segments = await jsonList(session, file, 'transcript_segments');
  if (!Array.isArray(segments))
    throw refused(`${file} must contain a list of segments, or an object with "transcript_segments".`);
  const api = await session.api();
  const body = { ...fieldsSet(settings, options), transcript_segments: segments } as never;
  const params = creation(options);
  await created(session, answered(await api.POST(`${path}/from-segments`, { params, body })));
};
