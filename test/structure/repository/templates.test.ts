/** Tests the templates of issues and pull requests: fields that GitHub needs, and required questions and warnings. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { packageDirectory } from '../../../src/config/process/data-dir.js';

interface Field {
  readonly type: string;
  readonly id?: string;
  readonly attributes: {
    readonly label?: string;
    readonly value?: string;
    readonly description?: string;
    readonly options?: readonly (string | { readonly label: string; readonly required?: boolean })[];
  };
  readonly validations?: { readonly required?: boolean };
}
interface Form {
  readonly name: string;
  readonly description: string;
  readonly labels: readonly string[];
  readonly body: readonly Field[];
}

const folder = join(packageDirectory(), '.github');
const formOf = (name: string): Form =>
  parse(readFileSync(join(folder, 'ISSUE_TEMPLATE', name), 'utf8')) as Form;
const forms = readdirSync(join(folder, 'ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml');

t.test('every issue form is valid for GitHub', async (t) => {
  t.same(forms.sort(), ['bug_report.yml', 'feature_request.yml']);
  for (const file of forms) {
    const { name, description, body } = formOf(file);
    t.ok(name && description, `${file}: name and description`);
    const fields = body.filter(({ type }) => type !== 'markdown');
    t.ok(fields.length > 0, `${file}: at least one field`);
    const ids = fields.map(({ id }) => id);
    const labels = fields.map(({ attributes }) => attributes.label);
    t.same([...new Set(ids)], ids, `${file}: ids are unique`);
    t.same([...new Set(labels)], labels, `${file}: labels are unique`);
    for (const { type, id, attributes } of fields) {
      t.match(type, /^(input|textarea|dropdown|checkboxes)$/, `${file}: ${id}`);
      t.match(id, /^[\w-]+$/, `${file}: ${id}`);
      t.ok(attributes.label, `${file}: label of ${id}`);
      const choice = type === 'dropdown' || type === 'checkboxes';
      t.equal((attributes.options?.length ?? 0) > 0, choice, `${file}: options of ${id}`);
    }
  }
});

t.test('every issue form warns that it is public', async (t) => {
  for (const file of forms) {
    const [first] = formOf(file).body;
    t.equal(first?.type, 'markdown', file);
    for (const word of ['public', 'no audio', 'no transcripts', 'no tokens'])
      t.ok(first?.attributes.value?.includes(word), `${file}: ${word}`);
  }
});

t.test('a bug report must name the version, the data sent and the data received', async (t) => {
  const { body } = formOf('bug_report.yml');
  const required = body.filter(({ validations }) => validations?.required).map(({ id }) => id);
  t.same(required, ['version', 'doctor', 'sent', 'came', 'expected']);
  const described = body.map(({ attributes }) => `${attributes.label} ${attributes.description}`).join('\n');
  for (const command of ['cochlea doctor', 'cochlea --version'])
    t.ok(described.includes(`${command}\``), command);
  const { attributes } = body.find(({ id }) => id === 'private')!;
  t.match(attributes.options, [{ label: /no audio, no transcripts, no tokens and no keys/, required: true }]);
});

t.test('vulnerabilities are directed to SECURITY.md, and blank issues are disabled', async (t) => {
  const { blank_issues_enabled: blank, contact_links: links } = parse(
    readFileSync(join(folder, 'ISSUE_TEMPLATE/config.yml'), 'utf8'),
  );
  t.equal(blank, false);
  t.match(links, [{ url: /^https:\/\/github\.com\/.+\/security\/policy$/, about: /SECURITY\.md/ }]);
});

t.test('the pull request template asks for tests, pages and other parts of a change', async (t) => {
  const text = readFileSync(join(folder, 'pull_request_template.md'), 'utf8');
  const items = text.split('\n').filter((line) => line.startsWith('- [ ] '));
  t.ok(items.length >= 5 && items.length <= 10, `${items.length} items`);
  for (const word of ['test', 'docs/', 'CHANGELOG.md', 'docs/evidence/contract.md', 'dependency', 'logged'])
    t.ok(
      items.some((item) => item.includes(word)),
      word,
    );
});
