import { JSON_TYPE } from '../../http/respond';
import { findTask } from '../find-task';
import type { Call, Handler } from '../service';
import type { ReportReading } from './read-report';

type ReportCall = Call<'getReport' | 'getReportPage'>;

const readingOf = async ({ id, query, request, service }: ReportCall): Promise<ReportReading> => ({
  task: await findTask(service, id),
  query,
  service,
  signal: request.signal,
});

/** Loaded with the first report: the first load of a page must stay small. */
const reportFiles = () => import('./build-report');

/** `GET /v1/file/{id}/report` */
export const getReport: Handler<'getReport'> = async (call) => {
  const reading = await readingOf(call);
  return { download: { contentType: JSON_TYPE, ...(await (await reportFiles()).jsonReport(reading)) } };
};

const PAGE_TYPE = 'text/html; charset=utf-8';

/** `GET /v1/file/{id}/report.html` */
export const getReportPage: Handler<'getReportPage'> = async (call) => {
  const reading = await readingOf(call);
  const { policy, ...page } = await (await reportFiles()).pageReport(reading);
  return {
    download: { contentType: PAGE_TYPE, ...page },
    headers: { 'content-security-policy': policy },
  };
};
