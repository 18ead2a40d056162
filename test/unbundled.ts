/**
 * Files that a whole run does not bundle: they check which modules Node loads, or contain modules as text. If a file
 * is renamed or deleted, change this list too (a structure test checks it).
 */
export const unbundledFiles: readonly string[] = [
  'bus/not-loaded',
  'cli/start',
  'sidecar/mcp/tool-clients',
  'structure/bundle',
];
