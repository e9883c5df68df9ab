import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { SendRequest } from '#shared/api/client';
// The generated description: the code that creates it would import the server half of the API.
import openApi from '../shared/api/contract/openapi.json';
import { log } from './adapters/log';
import { claimTabFolder } from './adapters/tab-folder';
import './app/fonts.css';
import './app/tokens.css';
import './app/base.css';
import { Page } from './docs/page';
import { operationsOf, type OpenApiDocument } from './docs/openapi-document';
import { reportClosedTab } from './host/page-worker';
import { answersApi, createServerSend } from './host/send-to-server';

const description = openApi as unknown as OpenApiDocument;
const operations = operationsOf(description);
const filePart = operations.find((operation) => operation.filePart !== undefined)?.filePart?.name ?? '';
const statusPath = operations.find(({ id }) => id === 'getStatus')?.path ?? '';

let inTab: Promise<SendRequest<File>> | undefined;

/** Held while this page is open, so that the main page finds its files again when the user returns. */
const folder = claimTabFolder(log, reportClosedTab);

/** Loads the engine with the first request, so that reading the reference does not load it. */
const sendInTab: SendRequest<File> = async (request) => {
  inTab ??= import('./host/compose').then(async ({ compose, sendWithin }) =>
    sendWithin(compose({ openFolder: (await folder)?.open })),
  );
  inTab.catch(() => (inTab = undefined));
  return (await inTab)(request);
};

const sendToServer = createServerSend(filePart);
const findServer = (): Promise<boolean> => answersApi(sendToServer, statusPath);

createRoot(document.getElementById('app') as HTMLElement).render(
  <StrictMode>
    <Page
      description={description}
      operations={operations}
      send={{ tab: sendInTab, server: sendToServer }}
      findServer={findServer}
    />
  </StrictMode>,
);
