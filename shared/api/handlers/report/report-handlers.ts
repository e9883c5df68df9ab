import { canonicalJson } from '../../../report/canonical-json';
import { signReport } from '../../../report/signed-report';
import type { Report } from '../../contract/schemas-report';
import { reportName } from '../../http/download-names';
import { JSON_TYPE } from '../../http/respond';
import { respondDownload } from '../download';
import { findTask } from '../find-task';
import type { Call, Handler } from '../service';
import { buildReport } from './build-report';
import { readPicture } from './read-picture';
import { readReportedTask, type ReportReading } from './read-report';
import { REPORT_PAGE_POLICY, reportPage } from './report-page';

type ReportCall = Call<'getReport' | 'getReportPage'>;

const readingOf = async ({ id, query, request, service }: ReportCall): Promise<ReportReading> => ({
  task: await findTask(service, id),
  query,
  service,
  signal: request.signal,
});

const signedReport = async (reading: ReportReading): Promise<Report> =>
  signReport(buildReport(await readReportedTask(reading)), reading.service.reportSigner);

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** `GET /v1/file/{id}/report` */
export const getReport: Handler<'getReport'> = async (call) => {
  const report = await signedReport(await readingOf(call));
  const name = reportName(report.filename, 'json');
  return respondDownload(
    { contentType: JSON_TYPE, name, file: bytesOf(canonicalJson(report)), tag: '' },
    call,
  );
};

const PAGE_TYPE = 'text/html; charset=utf-8';

/** `GET /v1/file/{id}/report.html` */
export const getReportPage: Handler<'getReportPage'> = async (call) => {
  const reading = await readingOf(call);
  const report = await signedReport(reading);
  const file = bytesOf(reportPage(report, await readPicture(reading, report)));
  const name = reportName(report.filename, 'html');
  const response = await respondDownload({ contentType: PAGE_TYPE, name, file, tag: '' }, call);
  return {
    ...response,
    headers: { ...response.headers, 'content-security-policy': REPORT_PAGE_POLICY },
  };
};
