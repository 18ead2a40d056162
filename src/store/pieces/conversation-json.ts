import { conversationRecord, fieldsOf, isShown } from '../../wire/records/index.js';
import { keyHasScope } from '../accounts/index.js';
import { emptyStructured, type Structured } from '../record/index.js';

/**
 * Returns an SQL expression for a time in the API's format, in UTC. The time is truncated to milliseconds and has six
 * fractional digits. A fraction of zero is left out.
 */
const shownMoment = (column: string): string =>
  `replace(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"000Z"'), '.000000Z', 'Z')`;

const uuidForm = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$';
const summaryKeys = Object.keys(emptyStructured satisfies Structured)
  .map((name) => `'${name}'`)
  .join(', ');

/**
 * SQL for the speaker name of a segment `s` of a conversation `c`, and its joins. The name is the user's name, the name
 * of a known person, the client's label, or a number.
 */
export const speakerNames = {
  column: `case when s.is_user then coalesce(u.name, 'User') else coalesce(p.name,
    case when starts_with(s.speaker, 'SPEAKER_') or s.speaker ~* '^(speaker[ _-]?[0-9]*)?$' then 'Speaker ' || s.speaker_id
    else s.speaker end) end`,
  joins: `
    left join users u on u.uid = c.uid
    left join people p on p.uid = c.uid and p.id = case when s.person_id ~ '${uuidForm}' then s.person_id::uuid end`,
} as const;

/** SQL for a segment `s` of a conversation `c`, as JSON for the API. Needs the joins of `speakerNames`. */
export const segmentJson = `json_build_object(
    'id', s.id, 'text', s.text, 'speaker_id', s.speaker_id,
    'speaker_name', ${speakerNames.column},
    'start', s.start_seconds, 'end', s.end_seconds, 'translations', s.translations)`;

/** SQL for the segments of a conversation `c` with speaker names, as JSON. */
const transcript = `(
  select coalesce(json_agg(${segmentJson} order by s.position, s.id), '[]')
  from segments s
    ${speakerNames.joins}
  where s.conversation_id = c.id and not s.deleted)`;

/** Whether a document includes its conversation's tasks: yes, no, or only when the request's key may read tasks. */
export type Tasks = 'shown' | 'hidden' | 'by key';

export const tasksIf = (tasks: boolean): Tasks => (tasks ? 'shown' : 'hidden');

/** SQL for the summary of a conversation `c`. Missing fields get empty values. */
const summary = `case when c.structured ?& array[${summaryKeys}] then c.structured
    else '${JSON.stringify(emptyStructured)}'::jsonb || coalesce(c.structured, '{}') end`;
const withoutTasks = `(${summary}) || '{"action_items": []}'`;
const summaryWith: Readonly<Record<Tasks, string>> = {
  shown: summary,
  hidden: withoutTasks,
  'by key': `case when ${keyHasScope('action_items:read')} then ${summary} else ${withoutTasks} end`,
};

const folderName = "(select nullif(name, '') from folders where id = c.folder_id and uid = c.uid)";

/** Returns arguments of `json_build_object` for fields of a conversation `c`. @param structured SQL of the summary's value */
const pairs = (fields: ReturnType<typeof fieldsOf>, structured: string): string => {
  const made: Readonly<Record<string, string>> = { structured, folder_name: folderName };
  return fields
    .map(([name, { type, column = name }]) => {
      const value = type === 'timestamptz' ? shownMoment(`c.${column}`) : `c.${column}`;
      return `'${name}', ${made[name] ?? value}`;
    })
    .join(', ');
};

const fields = fieldsOf(conversationRecord).filter(([, field]) => isShown(field, 'developer'));
const transcriptAt = fields.findIndex(([name]) => name === 'transcript_segments');

/**
 * Returns SQL for the fields of a conversation `c` before its transcript in the API's JSON. `fieldsBehind` is the SQL
 * for the fields after it.
 */
export const fieldsBefore = (tasks: Tasks): string =>
  pairs(fields.slice(0, transcriptAt), summaryWith[tasks]);
export const fieldsBehind = pairs(fields.slice(transcriptAt + 1), '');

const shown = (tasks: Tasks, segments: string): string =>
  `json_build_object(${fieldsBefore(tasks)}, 'transcript_segments', ${segments}, ${fieldsBehind})`;

const documents = (tasks: Tasks) => ({ with: shown(tasks, transcript), without: shown(tasks, 'null') });

/**
 * SQL for the JSON of a conversation `c` as the API returns it, without internal columns. There is a version for each
 * value of `Tasks`, with and without the transcript.
 */
export const conversationJson = {
  shown: documents('shown'),
  hidden: documents('hidden'),
  'by key': documents('by key'),
} as const satisfies Readonly<Record<Tasks, unknown>>;
