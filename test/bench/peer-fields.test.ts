/** The REST peer must return every field of a record. Otherwise its answers could not be compared. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/index.js';
import {
  actionItemRecord,
  conversationRecord,
  fieldsOf,
  isShown,
  memoryRecord,
  type RecordDeclaration,
  type Surface,
} from '../../src/wire/records/index.js';

const models = readFileSync(join(packageDirectory(), 'bench', 'peers', 'rest', 'models.py'), 'utf8');

/** Returns the fields of a peer's class, without inherited fields. */
const fieldsOfClass = (name: string): string[] => {
  const [, body = ''] =
    new RegExp(`^class ${name}\\(BaseModel\\):\\n((?: {4}.*\\n)+)`, 'm').exec(models) ?? [];
  return [...body.matchAll(/^ {4}(\w+):/gm)].map(([, field]) => field!);
};

const kinds: readonly (readonly [string, RecordDeclaration, Surface])[] = [
  ['Conversation', conversationRecord, 'developer'],
  ['ActionItem', actionItemRecord, 'summary'],
  ['Memory', memoryRecord, 'developer'],
];

for (const [name, record, surface] of kinds) {
  t.test(`the peer answers every field of a ${record.one}`, async (t) => {
    const declared = fieldsOf(record).flatMap(([field, of]) => (isShown(of, surface) ? [field] : []));
    t.same(fieldsOfClass(name), declared);
  });
}
