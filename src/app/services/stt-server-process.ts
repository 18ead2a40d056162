import { coreOptions, loadCore } from '../../audio/index.js';
import { dataDirectory } from '../../config/data-dir.js';
import { isLoopback } from '../../config/exposure.js';
import { type Settings, settings as table } from '../../config/load-settings.js';
import { CochleaError } from '../../errors/cochlea-error.js';
import { createLogger } from '../../log/logger.js';
import { connectTranscription } from '../../stt/index.js';
import type { Codec } from '../../wire/stream.js';
import { AudioLines } from '../custom-stt/audio-lines.js';
import { startCustomService } from '../custom-stt/server.js';
import { makeDataDirectory } from '../privileges/make-data-directory.js';
import { serve } from '../process/child-link.js';
import { closingBound } from '../process/closing-bound.js';
import { becomeAccount, chooseAccount } from '../process/run-as.js';
import { transcriptionSocket, transcriptionStarter } from './join-transcription.js';

export interface SttServerOptions {
  readonly host: string;
  readonly port: number;
  readonly codec: Codec;
  readonly rate: number;
  readonly language: string;
  /** Streams at once. */
  readonly streams: number;
  /** Seconds after which an idle connection is closed. */
  readonly idle: number;
}

/** Runs a custom transcription service in this process until it is told to stop. Started by root, it first gives up the privileges. */
export const runSttServer = (given: Settings, options: SttServerOptions): Promise<void> => {
  const log = createLogger('stt-server', given);
  const { codec, host, idle, language, port, rate, streams } = options;
  if (!isLoopback(host) && !given.privateNetwork) {
    const why = `${host} is beyond loopback, and the service asks for no token; set it to true where strangers reach neither that address nor the way to it`;
    throw new CochleaError('setting_invalid', { name: table.privateNetwork.env, why });
  }
  return serve(
    async () => {
      const settings = { ...given, dataDir: dataDirectory(given) };
      await makeDataDirectory(settings.dataDir);
      const account = await chooseAccount(settings, log);
      if (account !== undefined) becomeAccount(account, log);
      const memory = new Uint8Array(new SharedArrayBuffer(65_536));
      const core = await loadCore(settings.core, coreOptions(settings, { maxStreams: streams, memory }));
      const lines = new AudioLines(core, streams);
      const transcription = connectTranscription({
        socket: transcriptionSocket(settings.dataDir),
        log,
        start: transcriptionStarter(settings, log),
      });
      const defaults = { codec, rate, language };
      const service = await startCustomService({
        host,
        port,
        lines,
        transcription,
        defaults,
        idle: idle * 1000,
        log,
      });
      process.stdout.write(`ws://${host.includes(':') ? `[${host}]` : host}:${service.port}\n`);
      return {
        port: service.port,
        close: async () => {
          await service.close();
          await transcription.close();
          lines.destroy();
        },
      };
    },
    log,
    closingBound(given),
  );
};
