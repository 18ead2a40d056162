import { randomUUID } from 'node:crypto';
import { scopesOf } from '../../../src/identity/scopes.js';
import { createUser } from '../../../src/identity/users.js';
import type { DataKind } from '../../../src/issuer/scope-sentences.js';
import { createFromSegments } from '../../../src/service/conversations/supplied-conversations.js';
import { createActionItems } from '../../../src/service/records/action-items.js';
import { createFolder } from '../../../src/service/records/folders.js';
import { createGoal } from '../../../src/service/records/goals.js';
import { createMemories } from '../../../src/service/records/memories.js';
import {
  chatMessages,
  dailySummaries,
  posts,
  screenActivity,
} from '../../../src/service/records/own-records.js';
import { createPerson } from '../../../src/service/records/people.js';
import { putProfile } from '../../../src/service/records/profiles.js';
import { rulesHere } from '../../../src/service/text/text-rules.js';
import { until } from '../../support/until.js';
import type { Api } from '../support.js';

/** Kinds of data that a scope can open. */
export type Kind = DataKind;

/** Unique words, one for each field of a record, with the kinds of data that the field belongs to. */
const marks = {
  zzname: ['profile', 'speakers'],
  zzmail: ['profile'],
  zzprofile: ['profile'],
  zzfact: ['facts'],
  zzpost: ['posts'],
  zzsaid: ['speech'],
  zztranslated: ['speech'],
  zzspeaker: ['speakers', 'people'],
  zzstranger: ['people'],
  zztitle: ['summaries'],
  zzoverview: ['summaries'],
  zzevent: ['summaries'],
  // The list is empty, because a task inside a conversation needs two scopes: one for conversations and one for tasks.
  zzinner: [],
  zztask: ['tasks'],
  zzgoal: ['goals'],
  zzwhy: ['goals'],
  zzchat: ['chat'],
  zzapp: ['screen'],
  zzwindow: ['screen'],
  zzocr: ['screen'],
  zzheadline: ['days'],
  zzday: ['days'],
  zzplace: ['place'],
  zzfolder: ['folders'],
  zzphoto: ['photos'],
} as const satisfies Record<string, readonly Kind[]>;

/** Word in the text of every searchable record, so that one search finds all of them. */
export const common = 'garden';

/** Returns the marks that may appear in answers to a key that opens only these kinds of data. */
export const marksOf = (kinds: readonly Kind[]): string[] =>
  Object.entries<readonly Kind[]>(marks)
    .filter(([, of]) => of.some((kind) => kinds.includes(kind)))
    .map(([mark]) => mark)
    .sort();

/** Returns the marks that occur in a text. */
export const marksIn = (text: string): string[] => Object.keys(marks).filter((mark) => text.includes(mark));

/** Scopes of assistants' keys and of developer keys. */
export const everyScope = [...scopesOf.mcp, ...scopesOf.dev];

/** Ids of a marked user and of some records of that user. */
export interface Marked {
  readonly uid: string;
  readonly memory: string;
  readonly task: string;
  readonly goal: string;
  readonly conversation: string;
}

const at = '2026-03-01T10:00:00Z';

/** Makes a user with records of every kind. Each field contains its own mark. */
export const markedUser = async ({ sql }: Api): Promise<Marked> => {
  const { uid } = await createUser(sql, {
    uid: `marked-${randomUUID()}`,
    name: 'zzname',
    email: `zzmail-${randomUUID()}@example.org`,
  });
  await putProfile(sql, uid, { profile_text: 'zzprofile', data_sources_used: ['memories'] });
  const [memory] = await createMemories(sql, uid, 'tools', [{ content: `zzfact ${common}` }]);
  const [task] = await createActionItems(sql, uid, [{ description: `zztask ${common}` }]);
  const goal = await createGoal(sql, uid, { title: 'zzgoal', why_it_matters: 'zzwhy' });
  await posts.write(sql, uid, [
    { id: 'a', kind: 'tweet', text: `zzpost ${common}`, created_at: new Date(at) },
  ]);
  await chatMessages.write(sql, uid, [{ sender: 'human', type: 'text', text: 'zzchat' }]);
  await screenActivity.write(sql, uid, [
    { id: 'a', app_name: 'zzapp', window_title: 'zzwindow', ocr_text: 'zzocr', created_at: new Date(at) },
  ]);
  await dailySummaries.write(sql, uid, [
    { id: '2026-03-01', headline: 'zzheadline', overview: 'zzday', created_at: new Date(at) },
  ]);
  const { id: person } = await createPerson(sql, uid, { name: 'zzspeaker' });
  await createPerson(sql, uid, { name: 'zzstranger' });
  const said = (more: object) => ({ start: 0, end: 4, text: `We planted the ${common} zzsaid.`, ...more });
  const conversation = await createFromSegments(sql, rulesHere, uid, {
    transcript_segments: [said({ is_user: false, person_id: person }), said({ is_user: true })] as never,
    source: 'phone',
    started_at: new Date(at),
  });
  // Waits for the conversation's jobs, because they would create records from the summary that is written below.
  await until(async () => {
    const waiting = await sql`select from steps where uid = ${uid} and state = 'waiting'`;
    return waiting.length === 0;
  });
  const folder = await createFolder(sql, uid, { name: 'zzfolder' });
  const structured = {
    title: `zztitle ${common}`,
    overview: `zzoverview ${common}.`,
    emoji: '🌱',
    category: 'personal',
    action_items: [
      {
        description: `zzinner ${common}`,
        completed: false,
        created_at: at,
        updated_at: at,
        due_at: null,
        completed_at: null,
        conversation_id: conversation.id,
      },
    ],
    events: [{ title: 'zzevent', description: '', start: at, duration: 30, created: false }],
  };
  await sql`update conversations set structured = ${sql.json(structured)}, folder_id = ${folder.id},
    geolocation = ${sql.json({ latitude: 1, longitude: 1, address: 'zzplace', google_place_id: null, location_type: null })}
    where id = ${conversation.id}`;
  await sql`update segments set translations = ${sql.json([{ lang: 'de', text: 'zztranslated' }])}
    where conversation_id = ${conversation.id}`;
  await sql`insert into photos (id, conversation_id, uid, place, file, content_type, bytes, description, described_at)
    values (gen_random_uuid(), ${conversation.id}, ${uid}, 'here', gen_random_uuid(), 'image/gif', 1, 'zzphoto', now())`;
  return { uid, memory: memory!.id, task: task!.id, goal: goal.id, conversation: conversation.id };
};
