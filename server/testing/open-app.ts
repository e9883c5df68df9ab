import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import type { ApiRequest, ApiResponse } from '#shared/api/http/http';
import { createFakeLog } from '#shared/testing/fake-system';
import { createApp } from '../app';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../http/connection-limits';
import { fakeSites } from './fake-sites';
import { fakeWatch } from './fake-watch';

interface AppFolders {
  readonly page: string;
  readonly models: string;
}

/** Opens an app for one test, with a function as its API. */
export const openApp = async (
  web: AppFolders,
  answer: (request: ApiRequest) => Promise<ApiResponse>,
  connections: Partial<ConnectionLimits> = {},
): Promise<FastifyInstance> => {
  const app = await createApp({
    api: { answer, receiveUpload: async () => [] },
    web,
    log: createFakeLog(),
    watch: fakeWatch(),
    sites: fakeSites(),
    connections: { ...CONNECTION_LIMITS, ...connections },
  });
  onTestFinished(() => app.close());
  return app;
};
