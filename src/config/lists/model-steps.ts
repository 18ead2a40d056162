import { stepNames } from '../../wire/index.js';

/** Steps that ask the language model. Each may have its own model. */
export const modelSteps = ['discard', ...stepNames, 'answer', 'translation', 'photo'] as const;

export type ModelStep = (typeof modelSteps)[number];

const isStep = (name: string): name is ModelStep => (modelSteps as readonly string[]).includes(name);

/**
 * Reads a list such as `structure=big,folder=small`.
 * @throws Error that names the fault.
 */
export const parseStepModels = (text: string): ReadonlyMap<ModelStep, string> => {
  const models = new Map<ModelStep, string>();
  for (const item of text.split(',').map((part) => part.trim())) {
    if (item === '') continue;
    const equals = item.indexOf('=');
    const step = item.slice(0, Math.max(0, equals)).trim();
    const model = item.slice(equals + 1).trim();
    if (!isStep(step)) throw new Error(`each item is STEP=MODEL, with a step of ${modelSteps.join(', ')}`);
    if (model === '') throw new Error(`${step} has no model`);
    models.set(step, model);
  }
  return models;
};

/**
 * Checks whether the settings enable descriptions of images. For this, the settings must name a model for the step
 * `photo`, because not every model reads images.
 */
export const describesPhotos = (settings: {
  readonly llmBaseUrl: string;
  readonly llmStepModels: string;
}): boolean => settings.llmBaseUrl !== '' && parseStepModels(settings.llmStepModels).has('photo');
