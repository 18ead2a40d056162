/** A field that is added to the declaration of a record appears in the record's commands. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import t from 'tap';
import { actingWith } from '../../src/cli/arguments/index.js';
import { type RecordKind, recordCommands } from '../../src/cli/commands/record-commands.js';
import { Session } from '../../src/cli/session/index.js';
import {
  actionItemRecord,
  type Field,
  goalRecord,
  memoryRecord,
  type RecordDeclaration,
} from '../../src/client/records/index.js';
import { json, key, startFake } from './fake-service.js';

const notes: Field = {
  type: 'text',
  nullable: true,
  most: 2000,
  create: 'nullable',
  change: 'nullable',
};

const kinds: readonly [RecordKind['path'], RecordDeclaration][] = [
  ['/v1/dev/user/action-items', actionItemRecord],
  ['/v1/dev/user/goals', goalRecord],
  ['/v1/dev/user/memories', memoryRecord],
];

for (const [path, record] of kinds) {
  t.test(`${record.one}: an option sets a new field, another clears it, and records show it`, async (t) => {
    const service = await startFake(t);
    const declared = { ...record, fields: { ...record.fields, notes }, listed: ['id', 'notes'] };
    const kind: RecordKind = { path, record: declared, columns: [], page: () => 100 };

    /** Runs the command `create` or `update` for this record type. @returns the printed text. */
    const run = async (...words: string[]): Promise<string> => {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const env = {
        COCHLEA_CONFIG: '/nowhere/config.toml',
        COCHLEA_API_BASE: `http://127.0.0.1:${service.port}`,
        COCHLEA_API_KEY: key,
        NO_COLOR: '1',
      };
      const io = { env, stdin: new PassThrough(), stdout, stderr };
      const act = actingWith((options) => Session.open(io as never, options));
      const { create, update } = recordCommands(act, kind);
      const program = new Command('records').exitOverride();
      for (const command of [create(), update()])
        program.addCommand(command.exitOverride().configureOutput({ outputError: () => undefined }));
      service.answer(json({ id: 'x', notes: 'Ann knows' }));
      await program.parseAsync(words, { from: 'user' });
      stdout.end();
      return text(stdout);
    };

    t.match(await run('create', 'First', '--notes', 'Ann knows'), /^notes +Ann knows$/m);
    t.match(JSON.parse(service.bodies.at(-1)!), { notes: 'Ann knows' });
    t.match(await run('update', 'x', '--notes', 'Ann knows'), /^notes +Ann knows$/m);
    t.same(JSON.parse(service.bodies.at(-1)!), { notes: 'Ann knows' });
    await run('update', 'x', '--clear-notes');
    t.same(JSON.parse(service.bodies.at(-1)!), { notes: null });

    await t.rejects(run('update', 'x', '--notes', 'y', '--clear-notes'), /cannot be used with/);
    await t.rejects(run('create', 'First', '--clear-notes'), /unknown option/);
    const { create, update } = recordCommands(() => async () => undefined, kind);
    t.match(create().helpInformation(), /--notes <text> +notes/);
    t.match(update().helpInformation(), /--clear-notes +no notes/);
  });
}
