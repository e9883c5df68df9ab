import type { Engine } from '../ports/engine';
import type { Log } from '../ports/log';
import type { Storage } from '../ports/storage';
import type { System } from '../ports/system';
import type { TaskStore } from '../ports/task-store';

/** What tasks need of a host. */
export interface TaskPorts {
  readonly engine: Engine;
  readonly storage: Storage;
  readonly taskStore: TaskStore;
  readonly system: System;
  readonly log: Log;
}
