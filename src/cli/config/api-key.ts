import { refused } from '../terminal/index.js';

/** Minimum number of characters in a developer key after its prefix. */
const shortestSecret = 16;

/**
 * Checks the format of a developer key before the key is sent or stored. Each service chooses the first part of the
 * prefix itself, such as `svc`, so every first part is accepted.
 * @returns the key without surrounding blanks.
 * @throws CommandFailure `refused`; the message never quotes the key.
 */
export const developerKey = (given: string): string => {
  const key = given.trim();
  if (/^[a-z0-9]+_mcp_/i.test(key)) {
    throw refused(
      'This is an MCP key (..._mcp_...) for the tool server of assistants. A developer key begins with svc_dev_.',
    );
  }
  const [prefix] = /^[a-z][a-z0-9]*_dev_/.exec(key) ?? [];
  if (prefix === undefined) {
    throw refused('This is not a developer key. A developer key begins with svc_dev_.');
  }
  if (!/^[\x21-\x7e]+$/.test(key) || key.length < prefix.length + shortestSecret) {
    throw refused('This developer key is not complete.');
  }
  return key;
};
