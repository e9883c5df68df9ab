/**
 * Disables telemetry of onnxruntime. From 1.29 on, its Linux and macOS builds report over HTTPS which models run on
 * which machine, and store an identifier of the machine in the home folder.
 *
 * The main thread must import this before any thread runs a model: native code does not see a worker's copy of the
 * environment, and onnxruntime reads the variable once, when the process creates its first session.
 *
 * @see https://github.com/microsoft/onnxruntime/pull/27379
 */
process.env['ORT_DISABLE_TELEMETRY'] = '1';
