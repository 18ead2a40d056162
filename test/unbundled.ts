/**
 * The files that a whole run does not bundle: they look at which modules Node loads, or contain modules as text. A file that is
 * renamed or deleted is renamed or deleted here (a structure test).
 */
export const unbundledFiles: readonly string[] = [
  'cli/start',
  'sidecar/mcp/tool-clients',
  'structure/bundle',
];
