import type { Engine } from '../../ports/engine';
import type { Log, System, Timer } from '../../ports/system';
import type { Storage, SubjectStore, TaskStore } from '../../ports/storage';
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
