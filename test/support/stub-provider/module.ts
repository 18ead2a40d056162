/** Makes providers for `COCHLEA_TEST_PROVIDERS`. They are stubs; `COCHLEA_STUBS` lists their names and sockets as `NAME=SOCKET,...`. */
import type { Provider } from '../../../src/stt/shared/provider.js';
import { createStubProvider } from './provider.js';

export const providers = (): Provider[] =>
  (process.env.COCHLEA_STUBS ?? '').split(',').map((entry) => {
    const [name = '', socket = ''] = entry.split('=');
    return createStubProvider({ name, socket });
  });
