/** Runs one network in a process of its own, whose peak memory thus belongs only to this network. */
import { readFile } from 'node:fs/promises';
import { createInferenceRuntime } from '../../../server/adapters/inference';
import { openNetwork, RUNS, type MeasuredNetwork, type Network } from './network-runs';

const THREADS = 2;

const measure = async (network: Network): Promise<MeasuredNetwork> => {
  const runs = await openNetwork(createInferenceRuntime(THREADS), await readFile(network.path), network);
  const before = process.cpuUsage();
  const ms = await runs.run(RUNS);
  const { user, system } = process.cpuUsage(before);
  return {
    ms,
    cpuMs: (user + system) / 1000 / RUNS,
    peakMiB: process.resourceUsage().maxRSS / 1024,
    difference: await runs.difference(),
  };
};

process.once('message', (network: Network) => {
  void measure(network).then((measured) => process.send?.(measured, () => process.exit()));
});
