/**
 * Disables telemetry of onnxruntime. Otherwise the first session of the Linux build stores a machine id and a database
 * in the home folder. onnxruntime then sends data to Microsoft.
 *
 * Call this function on the main thread before worker threads start, because onnxruntime does not see the environments
 * of worker threads. Child processes started later inherit the variable.
 */
export const forbidTelemetry = (): void => {
  process.env.ORT_DISABLE_TELEMETRY = '1';
};
