/** Address of the script of the audio thread. The build replaces it. */
declare const WORKLET: string;

/** An open microphone. */
export interface Microphone {
  readonly label: string;
  close(): void;
}

/** A microphone that cannot be opened. The message says what to do. */
export class NoMicrophone extends Error {}

const reasons: Readonly<Record<string, string>> = {
  NotAllowedError:
    'The browser does not allow this page to use a microphone. Allow it in the settings of the page',
  NotFoundError: 'This device has no microphone. Connect one',
  NotReadableError: 'Another program uses the microphone. Close that program',
  OverconstrainedError: 'The chosen microphone is gone. Choose another one',
};

/** Returns the inputs of this device. Browsers name them only after a microphone was allowed. */
export const microphones = async (): Promise<readonly { readonly id: string; readonly label: string }[]> =>
  (await navigator.mediaDevices.enumerateDevices())
    .filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId !== '')
    .map(({ deviceId, label }, at) => ({ id: deviceId, label: label || `Microphone ${at + 1}` }));

/**
 * Opens a microphone. The user may be asked.
 * @param id of the input; empty for the browser's choice.
 * @param onSamples gets samples of 16 kHz.
 * @param onEnd called if the microphone is unplugged.
 * @throws NoMicrophone
 */
export const openMicrophone = async (
  id: string,
  onSamples: (samples: Int16Array) => void,
  onEnd: () => void,
): Promise<Microphone> => {
  // Browsers have no microphone for pages without https, except on this machine.
  if (navigator.mediaDevices === undefined)
    throw new NoMicrophone(
      'A microphone needs https, or the address http://localhost. Open the console there',
    );
  let media: MediaStream;
  try {
    media = await navigator.mediaDevices.getUserMedia({
      audio: {
        ...(id && { deviceId: { exact: id } }),
        // Processing for calls removes quiet speech.
        echoCancellation: false,
        noiseSuppression: false,
        autoGainControl: true,
      },
    });
  } catch (error) {
    const { name, message } = error as Error;
    throw new NoMicrophone(reasons[name] ?? `The microphone cannot be opened: ${message}`);
  }
  const context = new AudioContext();
  await context.audioWorklet.addModule(WORKLET);
  const source = context.createMediaStreamSource(media);
  const node = new AudioWorkletNode(context, 'microphone', { numberOfOutputs: 0 });
  node.port.onmessage = ({ data }: MessageEvent<Int16Array>) => onSamples(data);
  source.connect(node);
  await context.resume();
  const [track] = media.getAudioTracks();
  track?.addEventListener('ended', onEnd);
  return {
    label: track?.label ?? '',
    close: () => {
      for (const one of media.getTracks()) one.stop();
      void context.close();
    },
  };
};
