import type { MessagePort } from 'node:worker_threads';
import { coreOptions, coreWarning, loadCore, raiseThreadPriority } from '../../audio/index.js';
import { within } from '../../common/index.js';
import { correctedClock } from '../../common/threads/index.js';
import { connectionPlan } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { openCopyChannel } from '../../journal/copies/index.js';
import { openShardStreams } from '../../journal/feeds/index.js';
import { openJournal } from '../../journal/index.js';
import { countLogLosses, createLogger } from '../../log/index.js';
import { MetricsTable } from '../../metrics/index.js';
import { type InstalledModels, installedModels, speakerModel, voiceModel } from '../../models/index.js';
import { RingConsumer } from '../../ring/index.js';
import {
  createDiscardProvider,
  createLocalProvider,
  createProviders,
  ProviderNews,
  selectProvider,
  speakerLanguages,
} from '../../stt/providers/index.js';
import { createRetainer } from '../../stt/retained/index.js';
import type { Provider } from '../../stt/shared/index.js';
import { prepareIntroductions } from '../../transcript/names/index.js';
import { createTranslationChannel } from '../conversation/index.js';
import { createImageKeeper } from '../images/index.js';
import { createReadabilityCheck } from '../readability/index.js';
import { systemClock } from '../shared/index.js';
import { type ProviderChooser, tracksPerSlot } from '../transcription/index.js';
import { createVoices, type RecognitionModel, VoiceMemory } from '../voices/index.js';
import { Shard } from './shard.js';
import type { ControlMessage, ShardTask } from './shard-task.js';

/** Maximum time in ms that an ending shard waits for the replay of its spill. The next start replays the rest. */
const replayTimeout = 3000;

/**
 * Maximum time in ms that a failed shard takes to retain its speech. It is short because the streams wait for a new
 * shard.
 */
const salvageTimeout = 2000;

/**
 * Runs one shard as a piscina task that lasts as long as the shard. It builds the shard in this thread and serves
 * until the control port sends `stop`. Before it returns, it closes all resources, so that the thread can be ended.
 */
export const runShard = async (task: ShardTask): Promise<void> => {
  try {
    await serve(task);
  } catch (thrown) {
    // Piscina does not preserve the class of an error, so the code and details are sent over the control port.
    const failure = thrown instanceof CochleaError ? thrown.toJSON() : undefined;
    if (failure !== undefined)
      task.ports.control.postMessage({ kind: 'failed', failure } satisfies ControlMessage);
    throw thrown;
  } finally {
    for (const port of Object.values(task.ports)) port.close();
  }
};

const serve = async (task: ShardTask): Promise<void> => {
  const { index, settings, slots, ports } = task;
  const log = createLogger(`shard-${index}`, settings);
  const metrics = new MetricsTable(task.metrics).row(1 + index);
  countLogLosses(metrics);
  const niceness = raiseThreadPriority(settings.core, task.niceness);
  log.debug({ niceness }, 'niceness of the thread');
  const ring = new RingConsumer(task.ring);
  const memory = ring.data;
  const core = await loadCore(
    settings.core,
    coreOptions(settings, { maxStreams: slots * tracksPerSlot, memory }),
  );
  const warning = coreWarning();
  if (warning !== undefined && index === 0) log.warn(warning);
  prepareIntroductions();
  const surrenders = new Int32Array(task.surrenders);
  const clock = { ...systemClock, wall: correctedClock(task.clockCorrection) };
  const journal = await openJournal({
    databaseUrl: task.databaseUrl,
    spillDir: task.spillDir,
    engineId: task.engineId,
    shard: index,
    leaseDuration: settings.leaseDuration,
    databaseTimeout: settings.databaseTimeout,
    spillSize: settings.spillSize,
    spillUserSize: settings.spillUserSize,
    voiceBounds: { samples: settings.voiceSamples, people: settings.voicePeople },
    connections: connectionPlan(settings).journal,
    sharedCompletions: true,
    bus: settings.natsUrl !== '',
    copies: copiesOf(task),
    surrenders: () => Atomics.load(surrenders, 0),
    clock: clock.wall,
    log,
    metrics,
  });
  const models = installedModels(settings);
  const providers = await createProviders(settings, localProviders(settings, ports.transcriber, models), log);
  const news = new ProviderNews(task.engineId);
  const streams = settings.natsUrl === '' ? undefined : openShardStreams(task.engineId);
  const shard = new Shard({
    index,
    slots,
    settings,
    ring,
    core,
    journal,
    port: ports.front,
    choose: chooser(settings, providers),
    speakerLanguages: speakerLanguages(settings, models),
    retain: createRetainer(ports.retained),
    voices: tellsVoices(settings)
      ? new VoiceMemory({
          ...createVoices(ports.voices),
          rule: speakerModel(voiceModel).voices,
          history: settings.speakerHistory,
          metrics,
          recognition: settings.speakerRecognition === 'on' ? recognitionModel() : null,
        })
      : null,
    images: createImageKeeper(ports.images),
    checkSample: createReadabilityCheck(ports.readability),
    translations:
      settings.translator === 'off'
        ? null
        : createTranslationChannel(ports.translations, { metrics, now: clock.wall }),
    clock,
    streams,
    news,
    metrics,
    log,
  });

  const timer = setInterval(() => {
    shard.tick().catch((thrown: unknown) => log.error({ err: thrown }, 'tick failed'));
  }, settings.tick);
  ports.control.on('message', (message: ControlMessage) => {
    if (message.kind === 'stop') void shard.drain().finally(() => shard.stop());
  });
  const { name, isa } = core.capabilities;
  ports.control.postMessage({ kind: 'started', core: name, isa } satisfies ControlMessage);
  let faulty = true;
  try {
    await shard.run();
    faulty = false;
  } finally {
    clearInterval(timer);
    news.close();
    streams?.close();
    if (faulty) await within(shard.salvage(), salvageTimeout, () => log.error('not all speech was retained'));
    // After a fault, the journal does not wait for the replay. The streams wait for a new thread, and that thread
    // replays the spill.
    await journal.close(faulty ? 0 : replayTimeout);
    core.destroy();
  }
};

/**
 * Returns the channel for copies of this shard's spill and the key that encrypts them; undefined without a bus or a
 * key.
 */
const copiesOf = ({ index, engineId, settings }: ShardTask) =>
  settings.natsUrl === '' || settings.spillKey === ''
    ? undefined
    : {
        channel: openCopyChannel(engineId, index),
        secret: settings.spillKey,
        required: settings.minDurability === 'stream',
      };

const recognitionModel = (): RecognitionModel => {
  const { dimensions, rule } = speakerModel(voiceModel);
  return { model: voiceModel, dimensions, rule };
};

/**
 * Whether this engine diarizes streams by voice. Utterances of the `discard` provider are dropped, so they need no
 * speakers.
 */
const tellsVoices = ({ speakerDiarization, stt }: ShardTask['settings']): boolean =>
  speakerDiarization === 'on' && stt !== 'discard';

/** Returns the local provider with the languages of its models, or nothing if `sttModels` does not list it. */
const localProviders = (
  settings: ShardTask['settings'],
  port: MessagePort,
  models: InstalledModels,
): Provider[] => {
  if (settings.stt === 'discard' || !settings.sttModels.includes('local')) return [];
  return [createLocalProvider(port, models)];
};

const chooser = (
  settings: ShardTask['settings'],
  providers: ReadonlyMap<string, Provider>,
): ProviderChooser => {
  if (settings.stt === 'discard') {
    const discard = createDiscardProvider();
    return (_language, _wanted, exclude) => (exclude.has(discard.name) ? null : discard);
  }
  return (language, wanted, exclude) => {
    const available = new Map([...providers].filter(([name]) => !exclude.has(name)));
    return selectProvider(settings.sttModels, available, language, wanted);
  };
};
