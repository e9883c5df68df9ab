import type { Log } from '../ports/log';
import type { System } from '../ports/system';
import type { ServiceSettings } from '../tasks/settings';
import type { TaskService } from '../tasks/service';
import type { ApiRequest, ApiResponse } from './http';

/** What every handler works with. */
export interface ApiService {
  readonly tasks: TaskService;
  readonly settings: ServiceSettings;
  readonly system: System;
  readonly log: Log;
}

/** A host's last two lines: `createApiService(createTaskService(ports, settings), ports, settings)`, then `dispatch`. */
export const createApiService = (
  tasks: TaskService,
  ports: { readonly system: System; readonly log: Log },
  settings: ServiceSettings,
): ApiService => ({ tasks, settings, system: ports.system, log: ports.log });

/** Answers one request. Never rejects: our own faults are logged and answered with 500. */
export const dispatch = (_request: ApiRequest, _service: ApiService): Promise<ApiResponse> => {
  throw new Error('being written');
};
