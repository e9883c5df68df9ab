import type { ServiceSettings } from '../base/settings';
import type { TaskPorts } from '../base/task-ports';
import type { TaskRecords } from '../base/task-records';

/** What processing a file takes of a host. */
export type ProcessPorts = Pick<TaskPorts, 'engine' | 'storage' | 'system' | 'log' | 'subjects'>;

/** Settings that decide how a file is processed. */
export type ProcessSettings = Pick<ServiceSettings, 'limits' | 'maskFiles' | 'saveMask' | 'keepMetadata'>;

/** Where progress is reported. */
export type ProgressRecords = Pick<TaskRecords, 'apply'>;
