import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { expose } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { createInferenceRuntime } from '../adapters/inference';
import { serveLane } from './serve-lane';

const { threads } = workerData as { readonly threads: number };
expose(serveLane(createInferenceRuntime(threads)), nodeEndpoint(parentPort as MessagePort));
