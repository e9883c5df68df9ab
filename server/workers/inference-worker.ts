import { workerData } from 'node:worker_threads';
import { serve } from '#shared/engine/worker/connection';
import type { LaneWorkerData } from '../adapters/inference-lanes';
import { createInferenceRuntime } from '../adapters/inference';
import { serveLane } from './serve-lane';

const { threads, device, port } = workerData as LaneWorkerData;
serve(port, { ...serveLane(createInferenceRuntime(threads, device)) });
