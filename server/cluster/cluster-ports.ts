import type { Engine } from '#shared/ports/engine';
import type { Log } from '#shared/ports/log';
import type { Storage } from '#shared/ports/storage';
import type { System } from '#shared/ports/system';
import type { Timer } from '#shared/ports/timer';
import type { WebhookPorts } from '#shared/ports/webhook-sender';
import type { SharedTaskStore } from './shared-task-store';
import type { WorkQueue } from './work-queue';

/** What the roles `api` and `worker` need of a process. */
export interface ClusterPorts {
  readonly store: SharedTaskStore;
  readonly queue: WorkQueue;
  /** All files of all tasks, with the folders of attempts as they are. */
  readonly files: Storage;
  readonly engine: Engine;
  readonly system: System;
  readonly log: Log;
  readonly timer: Timer;
}

/** What the role `api` needs in addition. */
export interface ApiPorts extends ClusterPorts {
  readonly webhooks: WebhookPorts;
}
