import { CochleaError } from '../../errors/index.js';

/** Parses the address of a WebSocket. Replaces http by ws and https by wss. @throws CochleaError connection_failed */
export const socketAddress = (text: string): URL => {
  try {
    return new URL(text.replace(/^http/, 'ws'));
  } catch (error) {
    throw new CochleaError('connection_failed', { url: text, why: 'not an address' }, { cause: error });
  }
};
