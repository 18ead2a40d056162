import { openBus } from '../../bus/index.js';
import type { Settings } from '../../config/index.js';
import { dataDirectory, yieldProcessor } from '../../config/process/index.js';
import { issuerSecret } from '../../identity/index.js';
import { createLogger } from '../../log/index.js';
import { openPhotoFiles } from '../../photos/index.js';
import { startSidecar } from '../../sidecar/index.js';
import { migrate } from '../../store/schema/index.js';
import { checkConnections } from '../database/index.js';
import { closingBound, serve } from '../process/index.js';
import { openCopyWork } from './copy-work.js';
import { openEnrolmentWork } from './enrolment-work.js';
import { openRecordingWork } from './recording-work.js';
import { openRetainedWork } from './retained-work.js';
import { leaveRoot } from './run-as.js';
import { openVoiceWork } from './voice-work.js';

/**
 * Runs the sidecar in this process until it must stop. `DATABASE_URL` must be set. A sidecar started by root first
 * drops its privileges.
 */
export const runSidecar = (given: Settings): Promise<void> => {
  const log = createLogger('sidecar', given);
  return serve(
    async () => {
      yieldProcessor();
      // The secret is read before the change of user. Root can read it in its data folder, but the new account cannot.
      const settings = {
        ...given,
        dataDir: dataDirectory(given),
        issuerSecret: await issuerSecret(given),
      };
      await leaveRoot(settings, log);
      await migrate(settings.databaseUrl);
      await checkConnections(settings, log);
      const bus = await openBus(settings, { role: 'sidecar', name: settings.natsName || 'local' }, log);
      const copies = openCopyWork(settings, bus, log);
      const retained = await openRetainedWork(settings, log);
      const recordings = retained && (await openRecordingWork(settings, retained, log));
      const voice = openVoiceWork(settings, retained?.local ?? null, log);
      const photos = await openPhotoFiles(settings);
      const enrolment = settings.speakerRecognition === 'on' ? openEnrolmentWork(settings, log) : null;
      const { databaseUrl } = settings;
      const sidecar = await startSidecar({
        settings,
        databaseUrl,
        log,
        retained,
        recordings,
        voice,
        enrolment,
        photos,
        bus,
        copies: copies?.counts ?? null,
      });
      log.info({ port: sidecar.port }, 'sidecar is ready');
      return {
        port: sidecar.port,
        close: async () => {
          await sidecar.close();
          await recordings?.decoder.close();
          await voice?.close();
          await enrolment?.close();
          await retained?.close();
          await copies?.close();
          await bus?.close();
        },
      };
    },
    log,
    closingBound(given),
  );
};
