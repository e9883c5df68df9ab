import type { Static, TObject } from 'typebox';
import type { UploadQuery } from '../../catalogue/derive-parameters';
import type { AccessControl, Log, System, ReportSigner } from '../../ports/system';
import type { WebhookSender } from '../../ports/webhooks';
import type { SubjectStore } from '../../ports/storage';
import type { Engine } from '../../ports/host-engine';
import type { TaskService } from '../../tasks/service';
import type { ServiceSettings, TaskPorts } from '../../tasks/base/settings';
import type { HandlerAnswer, HandlerRequest } from '../http/http';
import type { ROUTES, RouteName } from '../contract/routes';
import type { EventStreams } from '../http/event-streams';
import { createWeightedQueue, type WeightedQueue } from '../../tasks/base/weighted-queue';

/** What every handler works with. */
export interface ApiService {
  readonly tasks: TaskService;
  readonly engine: Pick<
    Engine,
    'embedSample' | 'surveyVideo' | 'inspectImage' | 'inspectGiven' | 'retrying' | 'writtenFormats'
  >;
  /** Undefined where persons are not recognised. */
  readonly subjects: SubjectStore | undefined;
  readonly settings: ServiceSettings;
  readonly system: System;
  readonly log: Log;
  /** Inspects uploads in memory: together they are at most as large as one upload may be. */
  readonly inspections: WeightedQueue;
  /** Undefined where they need no care. */
  readonly eventStreams: EventStreams | undefined;
  /** Resolves after the host has done what waits. Between steps of work that would hold up all other requests. */
  readonly nextTurn: () => Promise<void>;
  /** Undefined where nothing is sent out. */
  readonly webhookSender: WebhookSender | undefined;
  /** Undefined where everybody is admitted. */
  readonly access: AccessControl | undefined;
  /** Undefined where reports are not signed. */
  readonly reportSigner: ReportSigner | undefined;
}

/** What the API needs of a host next to its tasks. */
interface ApiPorts extends Pick<TaskPorts, 'engine' | 'system' | 'log' | 'webhooks' | 'subjects'> {
  /** Undefined where streams are not limited, and no network can lose a client. */
  readonly eventStreams?: EventStreams;
  /** Undefined where nobody else waits for the thread. */
  readonly nextTurn?: () => Promise<void>;
  readonly access?: AccessControl | undefined;
  readonly reportSigner?: ReportSigner | undefined;
}

/**
 * A host's last lines: `createApiService(createTaskService(ports, settings), ports, settings)`, then `dispatch`
 * for requests in bytes, and `callRoute` for clients in the same program.
 */
export const createApiService = (
  tasks: TaskService,
  { engine, subjects, system, log, webhooks, eventStreams, nextTurn, access, reportSigner }: ApiPorts,
  settings: ServiceSettings,
): ApiService => ({
  tasks,
  engine,
  subjects,
  settings,
  system,
  log,
  inspections: createWeightedQueue({ capacity: settings.limits.maxImageBytes }),
  eventStreams,
  nextTurn: nextTurn ?? (async () => undefined),
  webhookSender: webhooks?.sender,
  access,
  reportSigner,
});

type QueryIn<R> = R extends { readonly query: infer Q extends TObject } ? Static<Q> : Record<never, never>;
type Queries = {
  readonly [N in RouteName]: N extends 'uploadFile' ? UploadQuery : QueryIn<(typeof ROUTES)[N]>;
};
/** By name and not by schema: to evaluate the schema of a route that is not known yet takes the compiler seconds. */
export type QueryOf<N extends RouteName> = Queries[N];

/** A matched request. */
export interface Call<N extends RouteName> {
  /** The path's `{id}`; empty where the route has none. Not checked. */
  readonly id: string;
  /** Checked parameters, with defaults … */
  readonly query: QueryOf<N>;
  /** … and without. */
  readonly given: Partial<QueryOf<N>>;
  readonly request: HandlerRequest;
  readonly service: ApiService;
}

/** @throws ApiError for what the table knows; anything else is a fault of ours */
export type Handler<N extends RouteName> = (call: Call<N>) => Promise<HandlerAnswer>;
