import type { Engine } from '../../ports/engine';
import type { Log } from '../../ports/log';
import type { Storage } from '../../ports/storage';
import type { SubjectStore } from '../../ports/subject-store';
import type { System } from '../../ports/system';
import type { TaskStore } from '../../ports/task-store';
import type { Timer } from '../../ports/timer';
import type { WebhookPorts } from '../../ports/webhook-sender';

/** What tasks need of a host. */
export interface TaskPorts {
  readonly engine: Engine;
  readonly storage: Storage;
  readonly taskStore: TaskStore;
  readonly system: System;
  readonly log: Log;
  /** Needed where tasks have a time limit. */
  readonly timer?: Timer;
  /** Without them no upload may ask for a webhook. */
  readonly webhooks?: WebhookPorts;
  /** Without them nobody stays visible. */
  readonly subjects?: SubjectStore | undefined;
}
