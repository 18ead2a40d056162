/**
 * Keeps onnxruntime from reporting what this process does. Its Linux build keeps an id of the machine and a database below the home
 * folder and sends from it to Microsoft, unless this variable is set when the first session is made. Worker threads have an
 * environment of their own, which the library does not see, so the main thread has to call this before they start. Processes that are
 * started later inherit it.
 */
export const forbidTelemetry = (): void => {
  process.env.ORT_DISABLE_TELEMETRY = '1';
};
