import { workerData } from 'node:worker_threads';
import { serve } from '#shared/threads/remote';
import type { LaneWorkerData } from '../adapters/inference-lanes';
import { createInferenceRuntime } from '../adapters/inference';
import { serveLane } from './serve-lane';

const { threads, port } = workerData as LaneWorkerData;
const lane = serveLane(createInferenceRuntime(threads));
serve(port, () => lane, true);
