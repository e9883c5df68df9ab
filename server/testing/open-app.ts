import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import type { ApiRequest, ApiResponse } from '#shared/api/http/http';
import { createFakeLog } from '#shared/testing/fake-system';
import { createApp } from '../app';
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
): Promise<FastifyInstance> => {
  const app = await createApp({
    api: { answer, receiveUpload: async () => [] },
    web,
    log: createFakeLog(),
    watch: fakeWatch(),
    sites: fakeSites(),
  });
  onTestFinished(() => app.close());
  return app;
};
