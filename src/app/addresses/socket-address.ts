import { CochleaError } from '../../errors/index.js';

/** Parses the address of a WebSocket; http and https stand for ws and wss. @throws CochleaError connection_failed */
export const socketAddress = (text: string): URL => {
  try {
    return new URL(text.replace(/^http/, 'ws'));
  } catch (error) {
    throw new CochleaError('connection_failed', { url: text, why: 'not an address' }, { cause: error });
  }
};
