import { readFile } from 'node:fs/promises';
import type { InferenceSession } from 'onnxruntime-node';
import type { ModelFiles } from './directory.js';

/** Loads the inference runtime on first use. Programs that only fetch models never load it. */
export const inferenceRuntime = () => import('onnxruntime-node');

/**
 * Loads a graph with weights in separate files. The session computes on the calling thread and starts no others.
 * @param graph name of the graph's file. The files must be verified, because the runtime does not check weights.
 * @throws Error if the runtime cannot load the graph.
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
    // Turns off memory plans. Inputs rarely have the same length twice, so a plan for each length would take memory and
    // save no time.
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
