import { coreOptions, loadCore } from '../../audio/index.js';
import { isLoopback, type Settings, settings as table } from '../../config/index.js';
import { dataDirectory } from '../../config/process/index.js';
import { CochleaError } from '../../errors/index.js';
import { createLogger } from '../../log/index.js';
import { connectTranscription } from '../../stt/service/index.js';
import type { Codec } from '../../wire/index.js';
import { AudioLines, startCustomService } from '../custom-stt/index.js';
import { makeDataDirectory } from '../privileges/index.js';
import { closingBound, serve } from '../process/index.js';
import { transcriptionSocket, transcriptionStarter } from './join-transcription.js';
import { leaveRoot } from './run-as.js';

export interface SttServerOptions {
  readonly host: string;
  readonly port: number;
  readonly codec: Codec;
  readonly rate: number;
  readonly language: string;
  /** Maximum number of concurrent streams. */
  readonly streams: number;
  /** Number of seconds after which an idle connection is closed. */
  readonly idle: number;
}

/**
 * Runs a custom transcription service in this process until it must stop. A service started by root first drops its
 * privileges.
 */
export const runSttServer = (given: Settings, options: SttServerOptions): Promise<void> => {
  const log = createLogger('stt-server', given);
  const { codec, host, idle, language, port, rate, streams } = options;
  if (!isLoopback(host) && !given.privateNetwork) {
    const why = `${host} is beyond loopback, and the service asks for no token; set it to true if strangers reach neither that address nor its network`;
    throw new CochleaError('setting_invalid', { name: table.privateNetwork.env, why });
  }
  return serve(
    async () => {
      const settings = { ...given, dataDir: dataDirectory(given) };
      await makeDataDirectory(settings.dataDir);
      await leaveRoot(settings, log);
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
