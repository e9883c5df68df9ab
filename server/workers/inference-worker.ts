import { workerData } from 'node:worker_threads';
import { serve } from '#shared/threads/remote';
import type { InferenceWorkerData } from '../adapters/inference-workers';
import { createInferenceRuntime } from '../adapters/inference';
import { serveInference } from './serve-inference';

const { threads, port } = workerData as InferenceWorkerData;
const worker = serveInference(createInferenceRuntime(threads));
serve(port, () => worker, true);
