import './no-telemetry';
import { listSupportedBackends } from 'onnxruntime-node';
import { StartProblem } from '../cli/start-problem';

/** @throws StartProblem if the installed onnxruntime has no such execution provider */
export const requireDevice = (device: string): void => {
  const names = listSupportedBackends().map(({ name }) => name);
  if (names.includes(device)) return;
  throw new StartProblem(
    `The installed onnxruntime has no execution provider "${device}": choose one of ${names.join(', ')}.`,
  );
};
