import { JSON_TYPE } from '../../http/respond';
import { withDefaults } from '../../http/query';
import { logName } from '../../http/filename';
import { ReportQuery } from '../../contract/schemas-report';
import { findTask } from '../find-task';
import type { Call, Handler } from '../service';
import type { ReportReading } from './read-report';

type ReportCall = Call<'getReport' | 'getReportPage'>;

const readingOf = async (
  { id, request, service }: Pick<ReportCall, 'id' | 'request' | 'service'>,
  query: ReportQuery,
): Promise<ReportReading> => ({
  task: await findTask(service, id),
  query,
  service,
  signal: request.signal,
});

/** Loaded with the first report: the first load of a page must stay small. */
const reportFiles = () => import('./build-report');

/** `GET /v1/file/{id}/report` */
export const getReport: Handler<'getReport'> = async (call) => {
  const reading = await readingOf(call, call.query);
  return { download: { contentType: JSON_TYPE, ...(await (await reportFiles()).jsonReport(reading)) } };
};

const PAGE_TYPE = 'text/html; charset=utf-8';

/** `GET /v1/file/{id}/report.html` */
export const getReportPage: Handler<'getReportPage'> = async (call) => {
  const reading = await readingOf(call, call.query);
  const { policy, ...page } = await (await reportFiles()).pageReport(reading);
  return {
    download: { contentType: PAGE_TYPE, ...page },
    headers: { 'content-security-policy': policy },
  };
};

/** Whether a request wants CSV; those that name JSON, too, get JSON. */
const acceptsCsv = ({ headers }: ReportCall['request']): boolean => {
  const accepted = headers['accept'] ?? '';
  return accepted.includes('text/csv') && !accepted.includes('json');
};

const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** `GET /v1/file/{id}/redactions` */
export const getRedactions: Handler<'getRedactions'> = async (call) => {
  const { format } = call.query;
  const reading = await readingOf(call, withDefaults(ReportQuery, {}) as ReportQuery);
  const { json, csv } = await (await reportFiles()).readLog(reading);
  const isCsv = (format ?? (acceptsCsv(call.request) ? 'csv' : 'json')) === 'csv';
  const name = logName(reading.task.filename, isCsv ? 'csv' : 'json');
  const download = isCsv ? { contentType: CSV_TYPE, file: csv } : { contentType: JSON_TYPE, file: json };
  return { download: { ...download, name }, headers: { vary: 'accept' } };
};
