import { Command } from 'commander';
import { loadSettings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import {
  findModel,
  listModels,
  type ModelSummary,
  modelOptions,
  summaryOf,
  verifyModel,
} from '../../models/index.js';
import { checkSpeechModels, ensureOwnedModel, ProgressLine, wantedModels } from '../models/index.js';
import { action, type JsonOption, print } from '../process/index.js';

const words = { verified: 'installed', missing: 'not installed', corrupt: 'damaged' } as const;

/** Maximum number of languages whose names are printed. If there are more languages, only their number is printed. */
const fewLanguages = 5;

const languagesOf = ({ languages }: ModelSummary): string =>
  languages.length > fewLanguages ? `${languages.length} languages` : languages.join(', ') || '-';

const sizeOf = ({ bytes }: ModelSummary): string => `${(bytes / 1e6).toFixed(1)} MB`;

const pull = async (names: string[]): Promise<void> => {
  const settings = loadSettings().values;
  const { directory } = modelOptions(settings);
  const wanted = names.length > 0 ? names : wantedModels(settings);
  // Refuses a wrong name before the first download.
  if (names.length === 0) checkSpeechModels(settings);
  for (const name of wanted) findModel(name);
  for (const name of wanted) {
    const summary = await summaryOf(name, directory);
    const about = [sizeOf(summary), languagesOf(summary), summary.licence, words[summary.state]];
    process.stdout.write(`${name}: ${about.filter((fact) => fact !== '-').join('; ')}\n`);
    const line = new ProgressLine(process.stderr);
    const model = await ensureOwnedModel(name, {
      ...modelOptions(settings),
      progress: ({ file, received, total }) => line.show(`${name} ${file}`, received, total),
      passedOver: (why) => line.note(why),
    }).finally(() => line.end());
    process.stdout.write(`${name}: ${model.directory}\n`);
  }
};

const list = async (options: JsonOption): Promise<void> => {
  const models = await listModels(modelOptions(loadSettings().values).directory);
  const rows = models.map((model) => ({
    ...model,
    model: model.name,
    state: words[model.state],
    size: sizeOf(model),
    languages: languagesOf(model),
  }));
  const { listTable } = await import('../../cli/output/table.js');
  const columns = ['model', 'state', 'size', 'languages', 'licence', 'purpose'].map((path) => ({ path }));
  print(options, models, listTable(columns, rows, (head) => head).split('\n'));
};

const verify = async (names: string[]): Promise<void> => {
  const settings = loadSettings().values;
  const { directory } = modelOptions(settings);
  const wanted = names.length > 0 ? names : wantedModels(settings);
  let bad: CochleaError | undefined;
  for (const name of wanted) {
    for (const { file, path, state } of await verifyModel(name, directory)) {
      process.stdout.write(`${state.padEnd(9)} ${name}/${file.name}\n`);
      if (state === 'corrupt') bad ??= new CochleaError('model_corrupt', { file: path });
      if (state === 'missing') {
        const details = { file: file.name, bytes: file.bytes, sources: 'none', directory };
        bad ??= new CochleaError('model_missing', details);
      }
    }
  }
  if (bad) throw bad;
};

export const modelsCommand = (): Command =>
  new Command('models')
    .description(
      'model files from your folder or mirror, their public address, or a registry; each is verified by its hash',
    )
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea models pull
  $ cochlea models pull whisper-base
  $ COCHLEA_MODELS_DIR=/media/usb cochlea models pull whisper-tiny.en
  $ cochlea models list
  $ cochlea models verify`,
    )
    .addCommand(
      new Command('pull')
        .description(
          'fetch models; default: the models that a start needs, with only the first of TRANSCRIBER_MODELS',
        )
        .argument('[names...]', 'names of models')
        .action(action(pull)),
    )
    .addCommand(
      new Command('list')
        .description('list every known model: whether it is installed, size, languages, licence, purpose')
        .option('--json', 'print JSON')
        .action(action(list)),
    )
    .addCommand(
      new Command('verify')
        .description('compare the files with the manifest')
        .argument('[names...]', 'names of models')
        .action(action(verify)),
    );
