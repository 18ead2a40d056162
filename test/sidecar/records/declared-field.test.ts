/** A field needs only its declaration to appear in rows, requests, answers and tool arguments. */
import t from 'tap';
import { z } from 'zod';
import { shownForm, valuesOf } from '../../../src/service/records/record-values.js';
import { recordArguments } from '../../../src/sidecar/mcp/toolkit/record-arguments.js';
import {
  changeBody,
  creationShape,
  exampleOf,
  shownShape,
  toolShape,
} from '../../../src/sidecar/schemas/record-schemas.js';
import { columnsOf } from '../../../src/store/records/record-rows.js';
import { actionItemRecord, type RecordDeclaration } from '../../../src/wire/records/index.js';

/**
 * Tasks with three new fields. `notes` has a description for assistants (`tool`). `rank` has none, so tools omit it.
 * `color` has a default, and its column has a different name.
 */
const record = {
  ...actionItemRecord,
  fields: {
    ...actionItemRecord.fields,
    notes: {
      type: 'text',
      nullable: true,
      most: 20,
      create: 'nullable',
      change: 'nullable',
      tool: 'Further notes',
    },
    rank: { type: 'integer', create: 'usual', usual: 3, change: 'optional', shown: ['developer'] },
    color: { type: 'text', column: 'tint', most: 10, create: 'nullable', usual: 'gray', change: 'nullable' },
  },
} as const satisfies RecordDeclaration;

const { created, changed, initial } = valuesOf(record);

t.test('the columns include the new fields', async (t) => {
  const { selected, written, given } = columnsOf(record);
  for (const columns of [selected, written]) t.match(columns, /, notes, rank, tint$/);
  t.match(given('$2'), /notes text, rank integer, tint text\)$/);
});

t.test('a new record has given values, default values, or null', async (t) => {
  t.match(initial, { notes: null, rank: 3, tint: 'gray', completed: false, is_locked: false });
  t.match(created({ description: 'Call' }), { notes: null, rank: 3, tint: 'gray' });
  const given = { description: ' Call ', notes: ' by\0 noon ', rank: 1, color: 'red' };
  t.match(created(given), { description: 'Call', notes: 'by\ufffd noon', rank: 1, tint: 'red' });
  t.match(created({ description: 'Call', notes: ' ', color: ' ' }), { notes: null, tint: 'gray' });
  t.throws(() => created({ description: 'Call', notes: 'x'.repeat(21) }), {
    code: 'validation_failed',
    message: 'notes should have at most 20 characters',
  });
});

t.test('a change names its columns, and null resets a field that is nullable', async (t) => {
  t.same(changed({}), {});
  t.same(changed({ notes: null, color: null }), { notes: null, tint: 'gray' });
  t.same(changed({ notes: 'x', rank: 0, color: 'red' }), { notes: 'x', rank: 0, tint: 'red' });
  for (const broken of [{ description: null }, { rank: null }])
    t.throws(() => changed(broken as never), { code: 'validation_failed', message: /cannot be empty/ });
});

t.test('each interface shows its fields in the order of the declaration', async (t) => {
  const now = new Date('2026-03-01T10:00:00.250Z');
  const row = { ...created({ description: 'd'.repeat(80) }), id: 'i', created_at: now, updated_at: now };
  const shown = shownForm(record, 'developer')({ ...row, is_locked: true });
  t.same(Object.keys(shown), Object.keys(shownShape(record, 'developer')));
  t.same(Object.keys(shown).slice(-3), ['notes', 'rank', 'color']);
  t.match(shown, {
    description: `${'d'.repeat(70)}...`,
    color: 'gray',
    created_at: '2026-03-01T10:00:00.250000Z',
  });
  t.equal(shown.updated_at, shown.created_at);
  const forTools = shownForm(record, 'tools')(row);
  t.same(Object.keys(forTools), Object.keys(shownShape(record, 'tools')));
  t.notOk('rank' in forTools, 'tools do not show a field of the developer API');
  t.equal(z.object(shownShape(record, 'developer')).safeParse(shown).success, true);
  t.match(exampleOf(record, { description: 'Call' }), { description: 'Call', notes: null });
});

t.test('requests and tool arguments accept the new fields', async (t) => {
  const creation = z.object(creationShape(record));
  t.match(creation.parse({ description: 'Call', notes: ' x ' }), { notes: 'x', rank: 3 });
  t.equal(creation.safeParse({ description: 'Call', notes: 'x'.repeat(21) }).success, false);
  t.match(changeBody(record).parse({ notes: null }), { notes: null });
  t.equal(changeBody(record).safeParse({}).error?.issues[0]?.message.includes('notes'), true);
  for (const effect of ['create', 'change'] as const) {
    const names = ['description', 'notes'];
    for (const shape of [toolShape(record, effect), recordArguments(record, effect)]) {
      t.same(
        Object.keys(shape).filter((name) => names.includes(name)),
        names,
      );
      t.notOk('rank' in shape, 'tools have no argument for a field without a description for assistants');
    }
    const { properties } = z.toJSONSchema(z.object(recordArguments(record, effect)), {
      io: 'input',
      unrepresentable: 'any',
    });
    t.match(JSON.stringify(properties?.notes), /Further notes/);
  }
});
