/** Address of the script of the audio thread. The build replaces it. */
declare const WORKLET: string;

/** Error for sound that cannot be recorded. The message tells the user what to do. */
export class NoSound extends Error {}

const microphoneReasons: Readonly<Record<string, string>> = {
  NotAllowedError:
    'The browser does not allow this page to use a microphone. Allow it in the settings of the page',
  NotFoundError: 'This device has no microphone. Connect one',
  NotReadableError: 'Another program uses the microphone. Close that program',
  OverconstrainedError: 'The chosen microphone is gone. Choose another one',
};

const noTab =
  'No sound of a tab was shared. Choose a tab and turn on its sound, or record the microphone alone';

/** Returns the inputs of this device. Browsers name them only after a microphone was allowed. */
export const microphones = async (): Promise<readonly { readonly id: string; readonly label: string }[]> =>
  (await navigator.mediaDevices.enumerateDevices())
    .filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId !== '')
    .map(({ deviceId, label }, at) => ({ id: deviceId, label: label || `Microphone ${at + 1}` }));

/** Whether this browser can record the sound of a tab. */
export const hasTabs = (): boolean => navigator.mediaDevices?.getDisplayMedia !== undefined;

const stopAll = (media: MediaStream | undefined): void => {
  for (const track of media?.getTracks() ?? []) track.stop();
};

const askMicrophone = async (id: string): Promise<MediaStream> => {
  // Browsers have no microphone for pages without https, except on this machine.
  if (navigator.mediaDevices === undefined)
    throw new NoSound('A microphone needs https, or the address http://localhost. Open the console there');
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: {
        ...(id && { deviceId: { exact: id } }),
        // Turns off the browser's processing for calls, which removes quiet speech.
        echoCancellation: false,
        noiseSuppression: false,
        autoGainControl: true,
      },
    });
  } catch (error) {
    const { name, message } = error as Error;
    throw new NoSound(microphoneReasons[name] ?? `The microphone cannot be opened: ${message}`);
  }
};

/**
 * Asks the user for the sound of a tab. Call it in a click handler, because browsers refuse the question otherwise.
 * @throws NoSound
 */
export const askTab = async (): Promise<MediaStream> => {
  let media: MediaStream;
  try {
    // Also requests the picture, because browsers share sound only together with it.
    media = await navigator.mediaDevices.getDisplayMedia({ video: true, audio: true });
  } catch {
    throw new NoSound(noTab);
  }
  for (const track of media.getVideoTracks()) track.stop();
  if (media.getAudioTracks().length > 0) return media;
  stopAll(media);
  throw new NoSound(noTab);
};

export interface SoundOptions {
  /** The sound of a tab for the second channel, which this object then owns; null if the recording has one channel. */
  readonly tab: MediaStream | null;
  /** Called with samples of 16 kHz; two channels are interleaved. */
  readonly onSamples: (samples: Int16Array) => void;
  /** Called when the microphone is unplugged, or the user ends the sharing of the tab. */
  readonly onEnd: (source: 'microphone' | 'tab') => void;
}

/** The sound of a recording: a microphone, and optionally a tab. */
export class Sound {
  readonly #context = new AudioContext();
  #inputs: ChannelMergerNode | undefined;
  #microphone: MediaStream | undefined;
  #source: MediaStreamAudioSourceNode | undefined;

  constructor(private readonly options: SoundOptions) {}

  /**
   * Opens a microphone, and closes the previous one. The browser may ask the user for permission.
   * @param id of the input; empty for the browser's choice.
   * @throws NoSound
   */
  async useMicrophone(id: string): Promise<void> {
    const media = await askMicrophone(id);
    this.#inputs ??= await this.#start();
    this.#source?.disconnect();
    stopAll(this.#microphone);
    this.#microphone = media;
    this.#source = this.#context.createMediaStreamSource(media);
    this.#source.connect(this.#inputs, 0, 0);
    media.getAudioTracks()[0]?.addEventListener('ended', () => this.options.onEnd('microphone'));
  }

  close(): void {
    stopAll(this.#microphone);
    stopAll(this.options.tab ?? undefined);
    if (this.#context.state !== 'closed') void this.#context.close();
  }

  async #start(): Promise<ChannelMergerNode> {
    const { tab, onSamples, onEnd } = this.options;
    const context = this.#context;
    await context.audioWorklet.addModule(WORKLET);
    const channels = tab === null ? 1 : 2;
    // A merger mixes each of its inputs to one channel: the microphone to the first, the tab to the second.
    const inputs = context.createChannelMerger(channels);
    const node = new AudioWorkletNode(context, 'sound', {
      numberOfOutputs: 0,
      channelCount: channels,
      channelCountMode: 'explicit',
      channelInterpretation: 'discrete',
      processorOptions: { channels },
    });
    node.port.onmessage = ({ data }: MessageEvent<Int16Array>) => onSamples(data);
    inputs.connect(node);
    if (tab !== null) {
      context.createMediaStreamSource(tab).connect(inputs, 0, 1);
      tab.getAudioTracks()[0]?.addEventListener('ended', () => onEnd('tab'));
    }
    await context.resume();
    return inputs;
  }
}
