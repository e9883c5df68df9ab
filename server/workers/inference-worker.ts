import { workerData } from 'node:worker_threads';
import { serve } from '#shared/threads/remote';
import type { LaneWorkerData } from '../adapters/inference-lanes';
import { createInferenceRuntime } from '../adapters/inference';
import { serveLane } from './serve-lane';

const { threads, device, port } = workerData as LaneWorkerData;
const lane = serveLane(createInferenceRuntime(threads, device));
serve(port, () => lane, true);
