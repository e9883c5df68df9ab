/** The part of the benchmark that runs inside the page: calls the worker. */
import { methodsBy } from '#shared/threads/calls';
import { connect } from '#shared/threads/remote';
import type { Network } from './network-runs';
import type { NetworkWorker } from './network-worker';

const worker = methodsBy<NetworkWorker>(
  connect(new Worker(new URL('./network-worker.ts', import.meta.url), { type: 'module' })).call,
);

export const open = ({ network, address }: { readonly network: Network; readonly address: string }) =>
  worker.open(network, address);
export const run = (times: number) => worker.run(times);
export const difference = () => worker.difference();
