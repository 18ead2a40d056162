/**
 * Disables telemetry of onnxruntime. Without this variable, the first session of the Linux build stores a
 * machine id and a database in the home folder. onnxruntime then sends data to Microsoft. onnxruntime does
 * not see the environments of worker threads, so call this function on the main thread before they start.
 * Child processes started later inherit the variable.
 */
export const forbidTelemetry = (): void => {
  process.env.ORT_DISABLE_TELEMETRY = '1';
};
