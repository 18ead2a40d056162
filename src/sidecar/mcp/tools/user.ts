import { z } from 'zod';
import { samplesOf } from '../../../service/conversations/index.js';
import { findProfile, listGoals, listPeople } from '../../../service/records/index.js';
import { goalBounds, personBounds } from '../../../wire/records/index.js';
import {
  alsoOpens,
  flagOr,
  moment,
  notice,
  noticeField,
  shortened,
  type ToolGroup,
  tool,
} from '../toolkit/index.js';

/** Returns the tools for general data of the user: profile, goals, people. */
export const userTools: ToolGroup = ({ sql }) => [
  tool({
    name: 'get_user_profile',
    title: 'Read the profile',
    description: 'A summary of who the user is. Read it first.',
    scopes: ['memories.read'],
    effect: 'read',
    input: z.object({}),
    output: z.object({
      profile_text: z.string().optional(),
      generated_at: moment.optional(),
      data_sources_used: z.array(z.string()).optional(),
      profile: z.null().optional(),
      message: z.string().optional(),
    }),
    call: async ({ uid }) =>
      (await findProfile(sql, uid)) ?? {
        profile: null,
        message: 'There is no profile yet. Use get_memories for facts.',
      },
  }),

  tool({
    name: 'get_goals',
    title: 'List goals',
    description: 'Goals of the user with their progress.',
    scopes: ['goals.read'],
    effect: 'read',
    input: z.object({ include_inactive: flagOr(false, 'Also goals that are paused or have ended') }),
    output: z.object({ goals: z.array(z.looseObject({ id: z.string(), title: z.string() })) }),
    call: async ({ uid, given }) => ({
      goals: (await listGoals(sql, uid, { limit: goalBounds.page, inactive: given.include_inactive })).items,
    }),
  }),

  tool({
    name: 'get_people',
    title: 'List people',
    description: 'People that the user knows. If conversations may be read, each with recent sentences.',
    scopes: ['people.read'],
    effect: 'read',
    input: z.object({}),
    output: z.object({
      people: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          created_at: moment,
          voice_samples: z.int().min(0),
          speech_sample_transcripts: z.array(z.string()),
        }),
      ),
      ...noticeField,
    }),
    call: async ({ uid, scopes }) => {
      const said = alsoOpens({ scopes }, 'conversations.read');
      const { items } = await listPeople(sql, uid, { limit: personBounds.page });
      const samples = said ? await samplesOf(sql, uid) : new Map<string, readonly string[]>();
      const short = shortened([...samples.values()].reduce((sum, { length }) => sum + length, 0));
      const people = items.map(({ id, name, created_at, voice_samples }) => ({
        id,
        name,
        created_at,
        voice_samples,
        speech_sample_transcripts: (samples.get(id) ?? []).map(short),
      }));
      return { people, notice };
    },
  }),
];
