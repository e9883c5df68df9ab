/**
 * Keeps onnxruntime from telling its makers which models run on which machine: its Linux and macOS builds do that over
 * HTTPS by default, from 1.29 on, and keep an identifier of the machine in the home folder for it.
 *
 * To be imported by the main thread, before any thread runs a model: a worker's environment is a copy that native code
 * does not see, and onnxruntime reads the variable once, when the process makes its first session.
 *
 * @see https://github.com/microsoft/onnxruntime/pull/27379
 */
process.env['ORT_DISABLE_TELEMETRY'] = '1';
