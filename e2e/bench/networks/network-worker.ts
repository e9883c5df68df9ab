/** Runs one network in a worker of the page, as the page's engine does. */
import { serve, type Port } from '#shared/threads/remote';
import { createInferenceRuntime } from '../../../web/adapters/inference';
import { log } from '../../../web/adapters/log';
import { openNetwork, type Network, type NetworkRuns } from './network-runs';

let opened: NetworkRuns | undefined;

const methods = {
  open: async (network: Network, address: string): Promise<void> => {
    const runtime = await createInferenceRuntime(log, { avoidsGpu: true, onGpuLost: () => undefined });
    const file = await (await fetch(address)).arrayBuffer();
    opened = await openNetwork(runtime, new Uint8Array(file), network);
  },
  run: async (times: number) => opened!.run(times),
  difference: async () => opened!.difference(),
};
export type NetworkWorker = typeof methods;

serve(self as unknown as Port, () => methods, true);
