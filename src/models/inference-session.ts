import { readFile } from 'node:fs/promises';
import type { InferenceSession } from 'onnxruntime-node';
import type { ModelFiles } from './directory.js';

/** The runtime, loaded when it is first used: programs that only fetch models do without it. */
export const inferenceRuntime = () => import('onnxruntime-node');

/**
 * Loads a graph whose weights are files of their own. The session computes on the thread that runs it and starts no others.
 * @param graph name of the graph among the files, which must be verified, because the runtime does not check weights
 * @throws Error when the runtime cannot load the graph.
 */
export const openInferenceSession = async (
  graph: string,
  { directory, files }: ModelFiles,
): Promise<InferenceSession> => {
  const { InferenceSession } = await inferenceRuntime();
  return InferenceSession.create(await readFile(files[graph]!), {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // Speech and texts hardly ever have the same length twice: a plan of memory for each length takes memory and saves no time.
    enableMemPattern: false,
    logSeverityLevel: 3,
    extra: {
      session: {
        model_external_initializers_file_folder_path: directory,
        'intra_op.allow_spinning': '0',
      },
    },
  });
};
