import { readFileSync } from 'node:fs';
import type { EngineRole } from '../engine/spawn-engine';

/** Ids of the engine processes of a server. Only Linux lists them. */
export const engineProcessesOf = (serverPid: number, role: EngineRole): readonly number[] => {
  const children = readFileSync(`/proc/${serverPid}/task/${serverPid}/children`, 'utf8').trim();
  const isOfRole = (pid: number): boolean => {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words.some((word) => word.endsWith('engine-main.js')) && words.includes(role);
  };
  return children === '' ? [] : children.split(' ').map(Number).filter(isOfRole);
};
